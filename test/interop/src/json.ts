import { isJsonObject, type JsonObject, type JsonValue, parseJson } from "@eve/canonical-json";
import { memberOf } from "@eve/mcp-guard";

/** The one JSON object in a text, read strictly; throws for anything else. */
export function parseObject(text: string): JsonObject {
  const parsed = parseJson(Buffer.from(text));
  if (!parsed.ok || !isJsonObject(parsed.value))
    throw new Error(`no JSON object: ${text.slice(0, 200)}`);
  return parsed.value;
}

/** The value, if it is an object. */
export function requireObject(value: JsonValue | undefined): JsonObject {
  if (!isJsonObject(value)) throw new Error("not an object");
  return value;
}

/** A member that is an object. */
export function objectAt(value: JsonObject, name: string): JsonObject {
  return requireObject(memberOf(value, name));
}

/** A member that is a list of objects. */
export function objectsAt(value: JsonObject, name: string): readonly JsonObject[] {
  const member = memberOf(value, name);
  if (!Array.isArray(member)) throw new Error(`no list ${name}`);
  return member.filter(isJsonObject);
}

/** A member that is a string. */
export function textAt(value: JsonObject, name: string): string {
  const member = memberOf(value, name);
  if (typeof member !== "string") throw new Error(`no text ${name}`);
  return member;
}
