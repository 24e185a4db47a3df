import { isJsonObject, type JsonObject, type JsonValue, parseJson } from "@eve/canonical-json";

/** The value if it is an object; else one without members. */
export function objectOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** The objects of a list; none where the value is no list. */
export function objectsOf(value: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter((item) => isJsonObject(item)) : [];
}

/** The value if it is a string; else the empty one. */
export function textOf(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}

/** The object that strict JSON bytes hold; undefined for anything else. */
export function parseObject(bytes: Uint8Array): JsonObject | undefined {
  const parsed = parseJson(bytes);
  return parsed.ok && isJsonObject(parsed.value) ? parsed.value : undefined;
}
