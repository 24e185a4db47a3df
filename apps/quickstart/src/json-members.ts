import { isJsonObject, type JsonObject, type JsonValue } from "@eve/canonical-json";

/** The object that is a member of another; an empty one where there is none. */
export function objectAt(from: JsonObject, name: string): JsonObject {
  const value = from[name];
  return isJsonObject(value) ? value : {};
}

/** The objects of an array that is a member; none where there is no array. */
export function objectsAt(from: JsonObject, name: string): readonly JsonObject[] {
  return arrayAt(from, name).filter((value) => isJsonObject(value));
}

/** The array that is a member; an empty one where there is none. */
export function arrayAt(from: JsonObject, name: string): readonly JsonValue[] {
  const value = from[name];
  return Array.isArray(value) ? value : [];
}

/** The string that is a member; an empty one where there is none. */
export function textAt(from: JsonObject, name: string): string {
  const value = from[name];
  return typeof value === "string" ? value : "";
}
