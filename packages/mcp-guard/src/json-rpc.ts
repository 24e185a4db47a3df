import { isJsonObject, type JsonObject, type JsonValue, parseJson } from "@eve/canonical-json";

/** The id of a request. `1` and `"1"` are two ids. */
export type RpcId = string | number;

/** The error a peer answered; its message is the peer's text and is never shown. */
export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data: JsonValue | undefined;
}

/** One JSON-RPC 2.0 message. An error may have no id (`null`): its sender could not read the request. */
export type RpcMessage =
  | { readonly kind: "result"; readonly id: RpcId; readonly result: JsonObject }
  | { readonly kind: "error"; readonly id: RpcId | null; readonly error: RpcError }
  | {
      readonly kind: "request";
      readonly id: RpcId;
      readonly method: string;
      readonly params: JsonObject | undefined;
    }
  | {
      readonly kind: "notification";
      readonly method: string;
      readonly params: JsonObject | undefined;
    };

/** A message, or what the line is instead: words of ours, never the line's text. */
export type RpcLine =
  | { readonly ok: true; readonly message: RpcMessage }
  | { readonly ok: false; readonly reason: string };

/** The most characters of an id that is a string. */
export const MAX_ID_LENGTH = 256;

const REQUEST_MEMBERS: ReadonlySet<string> = new Set(["jsonrpc", "id", "method", "params"]);
const RESULT_MEMBERS: ReadonlySet<string> = new Set(["jsonrpc", "id", "result"]);
const ERROR_MEMBERS: ReadonlySet<string> = new Set(["jsonrpc", "id", "error"]);
const ERROR_OBJECT_MEMBERS: ReadonlySet<string> = new Set(["code", "message", "data"]);

/**
 * Parses one wire line (without its newline) as exactly one JSON-RPC 2.0 message: strict JSON of at most
 * `maxBytes`, no batch, and no envelope member but the expected ones, since lax parsers match `Method` or
 * `method\u0000` too. Never throws. What it refuses is `protocol.framing`.
 */
export function parseRpcLine(line: Uint8Array, maxBytes: number): RpcLine {
  const parsed = parseJson(line, { limits: { maxBytes }, profile: "wire" });
  if (!parsed.ok) return refused(`${parsed.fault.code} at byte ${parsed.fault.offset}`);
  const { value } = parsed;
  if (Array.isArray(value)) return refused("a batch array");
  if (!isJsonObject(value)) return refused("a JSON value that is no object");
  if (value["jsonrpc"] !== "2.0") return refused("an object whose jsonrpc is not 2.0");
  if (Object.hasOwn(value, "method")) return parseCall(value);
  return Object.hasOwn(value, "error") ? parseError(value) : parseResult(value);
}

/** Whether two ids are one: by type and value, so the answer "1" is no answer to the request 1. */
export function isSameId(a: RpcId | null, b: RpcId | null): boolean {
  return a === b;
}

/** The member of an object, or undefined where it has none of its own. */
export function memberOf(object: JsonObject, name: string): JsonValue | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

function parseCall(message: JsonObject): RpcLine {
  if (!hasOnly(message, REQUEST_MEMBERS)) return refused("a request with an unknown member");
  const [method, params, id] = ["method", "params", "id"].map((name) => memberOf(message, name));
  if (typeof method !== "string" || method === "") return refused("a method that is no name");
  if (params !== undefined && !isJsonObject(params)) return refused("params that are no object");
  if (id === undefined) return { ok: true, message: { kind: "notification", method, params } };
  if (!isRpcId(id)) return refused("an id that is neither a string nor an integer");
  return { ok: true, message: { kind: "request", id, method, params } };
}

function parseResult(message: JsonObject): RpcLine {
  if (!hasOnly(message, RESULT_MEMBERS)) return refused("a response with an unknown member");
  const id = memberOf(message, "id");
  const result = memberOf(message, "result");
  if (!isRpcId(id)) return refused("an id that is neither a string nor an integer");
  if (!isJsonObject(result)) return refused("a result that is no object");
  return { ok: true, message: { kind: "result", id, result } };
}

function parseError(message: JsonObject): RpcLine {
  if (!hasOnly(message, ERROR_MEMBERS)) return refused("an error response with an unknown member");
  const id = memberOf(message, "id");
  const error = memberOf(message, "error");
  if (id !== undefined && id !== null && !isRpcId(id))
    return refused("an id that is neither a string nor an integer");
  if (!isJsonObject(error) || !hasOnly(error, ERROR_OBJECT_MEMBERS))
    return refused("an error that is no JSON-RPC error");
  const code = memberOf(error, "code");
  const text = memberOf(error, "message");
  if (!isInteger(code) || typeof text !== "string")
    return refused("an error that is no JSON-RPC error");
  return {
    ok: true,
    message: {
      kind: "error",
      id: id ?? null,
      error: { code, message: text, data: memberOf(error, "data") },
    },
  };
}

function isRpcId(id: JsonValue | undefined): id is RpcId {
  return typeof id === "string" ? id.length <= MAX_ID_LENGTH : isInteger(id);
}

function isInteger(value: JsonValue | undefined): value is number {
  return Number.isSafeInteger(value);
}

function hasOnly(object: JsonObject, members: ReadonlySet<string>): boolean {
  return Object.keys(object).every((key) => members.has(key));
}

function refused(reason: string): RpcLine {
  return { ok: false, reason };
}
