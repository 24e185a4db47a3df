import { isJsonObject, type JsonObject, parseJson } from "@eve/canonical-json";

/** One JSON-RPC message, or the error that answers what is none. */
export type ReadMessage =
  | { readonly ok: true; readonly message: JsonObject }
  | { readonly ok: false; readonly error: { readonly code: number; readonly message: string } };

const MEMBERS: ReadonlySet<string> = new Set([
  "jsonrpc",
  "id",
  "method",
  "params",
  "result",
  "error",
]);
const CR = 0x0d;
const LF = 0x0a;

/** Most bytes of one request body. */
export const MAX_BODY_BYTES = 65_536;

/** Deepest nesting of one request body. */
const MAX_DEPTH = 32;

/**
 * Reads a request body as exactly one JSON-RPC 2.0 message from its raw bytes: strict JSON, no batch, no CR but before
 * LF, and no envelope member but the expected ones, since lax parsers match `Method` or `method\u0000` too. What is no
 * JSON is -32700, what is no message -32600 (JSON-RPC 2.0, 5.1).
 */
export function readMessage(bytes: Uint8Array): ReadMessage {
  if (hasBareCr(bytes)) return parseError;
  const limits = { maxBytes: MAX_BODY_BYTES, maxDepth: MAX_DEPTH };
  const parsed = parseJson(bytes, { limits, profile: "wire" });
  if (!parsed.ok) return parseError;
  const { value } = parsed;
  const isMessage =
    isJsonObject(value) &&
    value["jsonrpc"] === "2.0" &&
    Object.keys(value).every((name) => MEMBERS.has(name));
  return isMessage ? { ok: true, message: value } : invalidRequest;
}

const parseError: ReadMessage = {
  ok: false,
  error: { code: -32_700, message: "The body is no strict JSON." },
};
const invalidRequest: ReadMessage = {
  ok: false,
  error: { code: -32_600, message: "The body is not exactly one JSON-RPC 2.0 message." },
};

function hasBareCr(bytes: Uint8Array): boolean {
  for (let at = bytes.indexOf(CR); at !== -1; at = bytes.indexOf(CR, at + 1))
    if (bytes[at + 1] !== LF) return true;
  return false;
}
