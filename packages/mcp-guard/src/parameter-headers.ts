import { isJsonObject, type JsonObject, type JsonValue } from "@eve/canonical-json";
import { memberOf } from "./json-rpc.ts";

/** A header's name (RFC 9110, token). */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** What a header may carry as it is: visible ASCII, with blanks only inside, and nothing that reads as encoded. */
const PLAIN = /^(?!=\?base64\?)[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;
const PRIMITIVES: readonly unknown[] = ["string", "integer", "boolean"];

/**
 * The headers that repeat arguments (MCP 2026-07-28, Streamable HTTP): `Mcp-Param-<name>` for each argument whose
 * property, reached by `properties` alone, has `x-mcp-header`. Undefined where the schema may not ask for that so: a
 * name that is no token or is used twice, or a property that is no string, integer or boolean.
 */
export function parameterHeaders(
  schema: JsonObject,
  args: JsonObject,
): Readonly<Record<string, string>> | undefined {
  const found = [...declared(schema, args)];
  const names = found.map(({ name }) => (typeof name === "string" ? name.toLowerCase() : ""));
  const isSound =
    found.every(({ name, type }) => isToken(name) && PRIMITIVES.includes(type)) &&
    new Set(names).size === names.length;
  if (!isSound) return undefined;
  const sent = found.flatMap(({ value }, at) => {
    const text = typeof value === "object" || value === undefined ? undefined : String(value);
    return text === undefined ? [] : [[`mcp-param-${names[at]}`, encoded(text)] as const];
  });
  return Object.fromEntries(sent);
}

interface Declared {
  readonly name: JsonValue;
  readonly type: JsonValue | undefined;
  /** The argument; undefined where the call has none. */
  readonly value: JsonValue | undefined;
}

function* declared(schema: JsonObject, value: JsonValue | undefined): Generator<Declared> {
  const properties = memberOf(schema, "properties");
  if (!isJsonObject(properties)) return;
  for (const [key, property] of Object.entries(properties)) {
    if (!isJsonObject(property)) continue;
    const inner = isJsonObject(value) ? memberOf(value, key) : undefined;
    const name = memberOf(property, "x-mcp-header");
    if (name !== undefined) yield { name, type: memberOf(property, "type"), value: inner };
    yield* declared(property, inner);
  }
}

function isToken(name: JsonValue): boolean {
  return typeof name === "string" && TOKEN.test(name);
}

function encoded(text: string): string {
  if (PLAIN.test(text)) return text;
  return `=?base64?${Buffer.from(text, "utf8").toString("base64")}?=`;
}
