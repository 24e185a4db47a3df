import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "@eve/canonical-json";
import type { RefusalCode } from "@eve/registry-schema";
import { escapePointer } from "../text/hidden-text.ts";
import { DATA, NAMED } from "./keywords.ts";
import { patternFault } from "./pattern-safety.ts";
import { expandedSize } from "./references.ts";
import { type Work, workForSurface } from "./work.ts";

/** What makes a schema one that no client should be handed. */
export interface SchemaFault {
  readonly code: Extract<RefusalCode, `schema.${string}`>;
  /** RFC 6901 pointer within the schema. */
  readonly pointer: string;
  readonly expected: string;
  readonly actual: string;
}

/** Most subschemas of one schema, and as many after each reference is put in its place. */
export const MAX_SUBSCHEMAS = 2_000;
const MAX_EXPANDED = 100_000;
/** Longest pointer to a subschema, in UTF-16 code units: names are part of it. */
const MAX_POINTER = 2_000;

/** The dialects whose meta-schemas every validator has; for another one it may ask the network. */
const DIALECTS: ReadonlySet<string> = new Set(
  ["draft-04", "draft-06", "draft-07"]
    .flatMap((draft) => [
      `http://json-schema.org/${draft}/schema`,
      `http://json-schema.org/${draft}/schema#`,
    ])
    .concat(["2019-09", "2020-12"].map((year) => `https://json-schema.org/draft/${year}/schema`)),
);

/** The root of an input schema must be an object's (MCP, Tools): `schema.not_object`. */
export function rootFault(schema: JsonValue | undefined): readonly SchemaFault[] {
  const type = isJsonObject(schema) ? schema["type"] : undefined;
  if (type === "object") return [];
  return [
    { code: "schema.not_object", pointer: "", expected: 'type "object"', actual: "another schema" },
  ];
}

/** An output schema is an object too, of whatever type: `schema.not_object`. */
export function outputRootFault(schema: JsonValue | undefined): readonly SchemaFault[] {
  if (schema === undefined || isJsonObject(schema)) return [];
  return [
    { code: "schema.not_object", pointer: "", expected: "a schema", actual: "no JSON object" },
  ];
}

/**
 * Judges a JSON Schema (draft-04 to 2020-12) without resolving anything: a reference or dialect that may be fetched is
 * `schema.remote_ref`; a cycle, a reference that leads nowhere or depends on the caller, or too much of it
 * `schema.too_complex`; a pattern that can hang a validator `schema.pattern_unsafe`. No more is done than `work` allows.
 * Never throws.
 */
export function schemaFaults(
  schema: JsonValue,
  work: Work = workForSurface(),
): readonly SchemaFault[] {
  const subschemas = subschemasOf(schema);
  return typeof subschemas === "string"
    ? [
        tooComplex(
          "",
          `at most ${MAX_SUBSCHEMAS} subschemas, pointers of ${MAX_POINTER}`,
          subschemas,
        ),
      ]
    : faultsOfSubschemas(schema, subschemas, work);
}

/** As {@link schemaFaults}, of a schema whose subschemas are listed. */
export function faultsOfSubschemas(
  schema: JsonValue,
  subschemas: ReadonlyMap<string, JsonObject>,
  work: Work,
): readonly SchemaFault[] {
  const faults: SchemaFault[] = [];
  for (const [pointer, subschema] of subschemas)
    faults.push(...keywordFaults(pointer, subschema, work));
  if (faults.some(({ code }) => code !== "schema.pattern_unsafe")) return faults;
  const size = expandedSize(subschemas, schema, MAX_EXPANDED);
  if (typeof size === "string") faults.push(tooComplex("", "references that end", size));
  return faults;
}

/** Every object that may be read as a schema, by its pointer, or what there is too much of. */
export function subschemasOf(schema: JsonValue): ReadonlyMap<string, JsonObject> | string {
  const subschemas = new Map<string, JsonObject>();
  return collect(schema, "", subschemas) ?? subschemas;
}

/** Lists them, or answers what there is too much of. */
function collect(
  value: JsonValue,
  pointer: string,
  into: Map<string, JsonObject>,
): string | undefined {
  if (isJsonArray(value)) return firstOf(value.entries(), pointer, into);
  if (!isJsonObject(value)) return undefined;
  if (pointer.length > MAX_POINTER) return "a longer one";
  into.set(pointer, value);
  if (into.size > MAX_SUBSCHEMAS) return "more of them";
  for (const [name, inner] of membersOf(value)) {
    if (DATA.has(name) || typeof inner !== "object") continue;
    const place = `${pointer}/${escapePointer(name)}`;
    const isNamed = NAMED.has(name) && isJsonObject(inner);
    const fault = isNamed ? firstOf(membersOf(inner), place, into) : collect(inner, place, into);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function firstOf(
  items: Iterable<readonly [string | number, JsonValue]>,
  pointer: string,
  into: Map<string, JsonObject>,
): string | undefined {
  for (const [name, item] of items) {
    if (typeof item !== "object") continue; // true and false take everything and nothing
    const fault = collect(item, `${pointer}/${escapePointer(String(name))}`, into);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function membersOf(value: JsonObject): readonly (readonly [string, JsonValue])[] {
  return Object.entries(value);
}

function keywordFaults(pointer: string, schema: JsonObject, work: Work): readonly SchemaFault[] {
  return [
    ...referenceFaults(pointer, schema),
    ...dialectFaults(pointer, schema),
    ...patternFaults(pointer, schema, work),
  ];
}

function referenceFaults(pointer: string, schema: JsonObject): readonly SchemaFault[] {
  return ["$ref", "$dynamicRef", "$recursiveRef"].flatMap((name): readonly SchemaFault[] => {
    const target = schema[name];
    if (target === undefined) return [];
    const at = `${pointer}/${name}`;
    if (typeof target !== "string" || !target.startsWith("#"))
      return [
        {
          code: "schema.remote_ref",
          pointer: at,
          expected: "a reference within",
          actual: "another",
        },
      ];
    return name === "$ref"
      ? []
      : [tooComplex(at, "$ref", "a reference that depends on the caller")];
  });
}

function dialectFaults(pointer: string, schema: JsonObject): readonly SchemaFault[] {
  const dialect = schema["$schema"];
  const inner = pointer === "" ? [] : ["$id", "id"].filter((name) => isAddress(schema[name]));
  return [
    ...(dialect === undefined || (typeof dialect === "string" && DIALECTS.has(dialect))
      ? []
      : [
          {
            code: "schema.remote_ref" as const,
            pointer: `${pointer}/$schema`,
            expected: "a dialect that every validator has",
            actual: "another",
          },
        ]),
    // A base of its own within a schema changes where every reference below it leads.
    ...inner.map((name) =>
      tooComplex(`${pointer}/${name}`, "one base for all references", "another"),
    ),
  ];
}

function isAddress(value: JsonValue | undefined): boolean {
  return typeof value === "string" && /^[a-z][a-z0-9+.-]*:/i.test(value);
}

function patternFaults(pointer: string, schema: JsonObject, work: Work): readonly SchemaFault[] {
  const { pattern, patternProperties } = schema;
  const named = isJsonObject(patternProperties) ? Object.keys(patternProperties) : [];
  const patterns = [
    ...(typeof pattern === "string" ? [{ at: `${pointer}/pattern`, text: pattern }] : []),
    ...named.map((text) => ({ at: `${pointer}/patternProperties/${escapePointer(text)}`, text })),
  ];
  return patterns.flatMap(({ at, text }): readonly SchemaFault[] => {
    const fault = patternFault(text, work);
    return fault === undefined
      ? []
      : [
          {
            code: "schema.pattern_unsafe",
            pointer: at,
            expected: "a pattern that is matched in little time",
            actual: fault,
          },
        ];
  });
}

function tooComplex(pointer: string, expected: string, actual: string): SchemaFault {
  return { code: "schema.too_complex", pointer, expected, actual };
}
