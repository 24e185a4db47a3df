import { type JsonFault, type JsonOptions, type JsonValue, parseJson } from "../src/index.ts";

/** The UTF-8 of a text. */
export function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** The value that a text or bytes spell; throws where they are refused. */
export function accepted(source: string | Uint8Array, options: JsonOptions = {}): JsonValue {
  const result = parseJson(typeof source === "string" ? utf8(source) : source, options);
  if (!result.ok) throw new Error(`refused: ${JSON.stringify(result.fault)}`);
  return result.value;
}

/** The fault in a text or bytes; throws where they are accepted. */
export function refused(source: string | Uint8Array, options: JsonOptions = {}): JsonFault {
  const result = parseJson(typeof source === "string" ? utf8(source) : source, options);
  if (result.ok) throw new Error("accepted");
  return result.fault;
}

/** One word for what became of a document: `accepted`, or the code of its fault. */
export function verdict(source: string | Uint8Array, options: JsonOptions = {}): string {
  const result = parseJson(typeof source === "string" ? utf8(source) : source, options);
  return result.ok ? "accepted" : result.fault.code;
}
