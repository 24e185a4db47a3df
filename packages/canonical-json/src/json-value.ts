/** A JSON object as a plain object; `parseJson` never makes one with a `__proto__` member. */
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** A JSON array, in document order. */
export type JsonArray = readonly JsonValue[];

/** Any value that RFC 8259 can spell. */
export type JsonValue = null | boolean | number | string | JsonArray | JsonObject;

/** Whether a JSON value is an object: not null, not a list. */
export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether a JSON value is a list. */
export function isJsonArray(value: JsonValue | undefined): value is JsonArray {
  return Array.isArray(value);
}
