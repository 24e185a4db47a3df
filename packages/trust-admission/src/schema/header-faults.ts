import type { JsonObject, JsonValue } from "@eve/canonical-json";
import { member } from "../pins.ts";
import type { SchemaFault } from "./schema-safety.ts";

const KEYWORD = "x-mcp-header";
/** A header's name (RFC 9110, token). */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** A property of the arguments, reached through `properties` alone. */
const PLAIN_PROPERTY = /^(?:\/properties\/[^/]*)+$/;
const TYPES: readonly unknown[] = ["string", "integer", "boolean"];

/**
 * Judges what an input schema asks a client to repeat in headers (MCP 2026-07-28, Streamable HTTP): at a property
 * reached through `properties` alone, of type string, integer or boolean, under a name that is a token and used once.
 * A client must leave out a tool that asks otherwise, and not every client does: `schema.header_invalid`.
 * `subschemas` are all of the schema by their pointers.
 */
export function headerFaults(subschemas: ReadonlyMap<string, JsonObject>): readonly SchemaFault[] {
  const asking = [...subschemas].flatMap(([pointer, schema]) => {
    const name = member(schema, KEYWORD);
    return name === undefined ? [] : [{ pointer, name, type: member(schema, "type") }];
  });
  const used = new Set<JsonValue>();
  return asking.flatMap(({ pointer, name, type }) => {
    const actual = faultOf(pointer, name, type, used.has(folded(name)));
    used.add(folded(name));
    return actual === undefined ? [] : [fault(pointer, actual)];
  });
}

function faultOf(
  pointer: string,
  name: JsonValue,
  type: JsonValue | undefined,
  isUsed: boolean,
): string | undefined {
  if (!PLAIN_PROPERTY.test(pointer)) return "asked elsewhere than at a property of the arguments";
  if (typeof name !== "string" || !TOKEN.test(name)) return "another name";
  if (!TYPES.includes(type)) return "a property of another type";
  return isUsed ? "a name that is used twice" : undefined;
}

function folded(name: JsonValue): JsonValue {
  return typeof name === "string" ? name.toLowerCase() : name;
}

function fault(pointer: string, actual: string): SchemaFault {
  return {
    code: "schema.header_invalid",
    pointer: `${pointer}/${KEYWORD}`,
    expected: "a header's name, once, at a string, integer or boolean property",
    actual,
  };
}
