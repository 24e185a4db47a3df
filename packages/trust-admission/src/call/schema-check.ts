import { type SchemaDraft, Validator } from "@cfworker/json-schema";
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "@eve/canonical-json";
import { DATA, NAMED } from "../schema/keywords.ts";

/** How a value fails a schema: the keyword that says no, and the place of it in the schema; no text of the value. */
interface SchemaMismatch {
  readonly keyword: string;
  /** Fragment within the schema, such as `#/properties/id/type`. */
  readonly place: string;
}

/** Checks values against one schema; undefined where the value fits. */
export type SchemaCheck = (value: JsonValue) => SchemaMismatch | undefined;

/** Longest text, in characters, that is matched with a pattern: a safe one may still take quadratic time. */
export const MAX_PATTERN_TEXT = 16_384;
/** Most values of a document that a schema with `uniqueItems` may see: every two items are compared. */
export const MAX_UNIQUE_VALUES = 4_096;

/**
 * Makes the check of a schema that admission let pass (no remote reference, no cycle, no dangerous pattern). No code is
 * generated. As in 2020-12 `format` is an annotation and decides nothing.
 */
export function schemaCheck(schema: JsonValue): SchemaCheck {
  if (typeof schema === "boolean")
    return () => (schema ? undefined : { keyword: "false", place: "#" });
  if (!isJsonObject(schema)) return () => ({ keyword: "schema", place: "#" });
  const draft = draftOf(schema["$schema"]);
  const validator = new Validator(bounded(schema), draft, true);
  const mayBeUnique = mentions(schema, "uniqueItems");
  return (value) => {
    if (mayBeUnique && countsMoreThan(value, MAX_UNIQUE_VALUES))
      return { keyword: "uniqueItems", place: "#" };
    const { valid, errors } = validator.validate(value);
    const innermost = errors.at(-1);
    return valid
      ? undefined
      : { keyword: innermost?.keyword ?? "schema", place: innermost?.keywordLocation ?? "#" };
  };
}

function draftOf(dialect: JsonValue | undefined): SchemaDraft {
  if (typeof dialect !== "string") return "2020-12"; // MCP: where none is named
  if (dialect.includes("draft-04")) return "4";
  if (dialect.includes("draft-06") || dialect.includes("draft-07")) return "7";
  return dialect.includes("2019-09") ? "2019-09" : "2020-12";
}

/** A copy without `format`, and with a bound on each text that a pattern is matched with. */
function bounded(schema: JsonObject): JsonObject {
  const { format: _format, pattern, ...rest } = schema;
  const copy = Object.fromEntries(
    Object.entries(rest).map(([name, inner]) => [name, boundedMember(name, inner)]),
  );
  if (typeof pattern !== "string") return copy;
  const within: readonly JsonObject[] = [
    { maxLength: MAX_PATTERN_TEXT },
    {
      if: { type: "string", minLength: MAX_PATTERN_TEXT + 1 },
      else: { pattern: withoutIdleEscapes(pattern) },
    },
  ];
  return { ...copy, allOf: [...(isJsonArray(copy["allOf"]) ? copy["allOf"] : []), ...within] };
}

/** Escapes that say nothing (`\@`, `\_`) are errors to the `u` flag with which the library reads a pattern. */
function withoutIdleEscapes(pattern: string): string {
  return pattern.replaceAll(/\\(\\|[^\\])/g, (escape: string, character: string) =>
    /[A-Za-z0-9^$\\.*+?()[\]{}|/-]/.test(character) ? escape : character,
  );
}

function boundedMember(name: string, value: JsonValue): JsonValue {
  if (DATA.has(name)) return value;
  if (!NAMED.has(name) || !isJsonObject(value)) return boundedAll(value);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, boundedAll(inner)]));
}

function boundedAll(value: JsonValue): JsonValue {
  if (isJsonArray(value)) return value.map(boundedAll);
  return isJsonObject(value) ? bounded(value) : value;
}

function mentions(value: JsonValue, name: string): boolean {
  if (isJsonArray(value)) return value.some((item) => mentions(item, name));
  if (!isJsonObject(value)) return false;
  return Object.hasOwn(value, name) || Object.values(value).some((item) => mentions(item, name));
}

function countsMoreThan(value: JsonValue, limit: number): boolean {
  const left = [value];
  let count = 0;
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    count += 1;
    if (count > limit) return true;
    if (isJsonArray(next)) left.push(...next.slice(0, limit + 1));
    else if (isJsonObject(next)) left.push(...Object.values(next).slice(0, limit + 1));
  }
  return false;
}
