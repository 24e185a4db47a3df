import { isJsonArray, isJsonObject, type JsonObject } from "@eve/canonical-json";
import { z } from "zod";
import { gates, manifestShape } from "./document.ts";
import { entryShape } from "./entry.ts";
import * as fields from "./entry-fields.ts";
import { PATTERNS } from "./json-schema-patterns.ts";
import { DOCUMENT_SCHEMA_FILE, ENTRY_SCHEMA, MANIFEST_SCHEMA } from "./source-schema.ts";
import { DEPENDENCY_GATES } from "./vocabulary.ts";

const documentShape = z.strictObject({
  ...manifestShape.shape,
  integrations: z.array(entryShape).min(1).max(4096),
});

/**
 * JSON Schemas (draft 2020-12) for editors, by file name: of an assembled document, of an entry's file, and of the
 * sources' registry.json. They take all that the contract takes. What they cannot say (relations between fields,
 * canonical URLs, look-alike names) only `parseRegistry` refuses.
 */
export function jsonSchemas(): ReadonlyMap<string, JsonObject> {
  return new Map([
    [DOCUMENT_SCHEMA_FILE, schemaOf(documentShape, "Assembled registry of external integrations")],
    [
      ENTRY_SCHEMA.file,
      schemaOf(
        entryShape,
        "Entry of the registry of external integrations",
        ENTRY_SCHEMA.reference,
      ),
    ],
    [
      MANIFEST_SCHEMA.file,
      schemaOf(
        manifestShape,
        "Registry of external integrations, without its entries",
        MANIFEST_SCHEMA.reference,
      ),
    ],
  ]);
}

/** What is said of a field beyond what its type and its own pattern say. */
const HINTS: ReadonlyMap<z.core.$ZodType, JsonObject> = new Map<z.core.$ZodType, JsonObject>([
  [fields.containedPath, { maxLength: 512, pattern: PATTERNS.containedPath }],
  [fields.destination, { pattern: PATTERNS.destination }],
  [fields.endpoint, { pattern: PATTERNS.endpoint }],
  [fields.envName, { pattern: PATTERNS.envName }],
  [fields.instant, { pattern: PATTERNS.instant }],
  [fields.jsonObject, { type: "object" }],
  [fields.text, { pattern: PATTERNS.readable }],
  [fields.toolName, { pattern: PATTERNS.toolName }],
  [fields.word, { pattern: PATTERNS.visibleWord }],
  [gates, gatesInOrder()],
]);

/** The names of fields by which a schema refers to them. */
function namedFields(): z.core.$ZodRegistry<{ id: string }> {
  const names = z.registry<{ id: string }>();
  for (const [id, field] of Object.entries(fields))
    if (field instanceof z.ZodType) names.add(field, { id });
  return names;
}

function schemaOf(shape: z.ZodType, title: string, reference?: string): JsonObject {
  const { $schema: dialect, ...schema } = z.toJSONSchema(shape, {
    io: "input",
    metadata: namedFields(),
    reused: "ref",
    unrepresentable: "any",
    override: ({ zodSchema, jsonSchema }) => {
      if (isDistinct(zodSchema)) jsonSchema.uniqueItems = true;
      Object.assign(jsonSchema, HINTS.get(zodSchema));
    },
  });
  const plain: JsonObject = JSON.parse(JSON.stringify(schema));
  const titled = { $schema: String(dialect), title, ...plain };
  return reference === undefined ? titled : naming(titled, reference);
}

/** Whether a list has a check of its own: each value once. */
function isDistinct(schema: z.core.$ZodType): boolean {
  return (
    schema instanceof z.ZodArray &&
    schema.def.checks?.some((check) => check instanceof z.ZodCustom) === true
  );
}

function gatesInOrder(): JsonObject {
  const prefixItems = DEPENDENCY_GATES.map(([task, subject]) => ({
    properties: { task: { const: task }, subject: { const: subject } },
  }));
  const { length } = DEPENDENCY_GATES;
  // Within allOf, as prefixItems beside items would take the first items out of reach of items.
  return { allOf: [{ prefixItems, minItems: length, maxItems: length }] };
}

/** The schema of a source file: each of its objects may name the schema, by that reference alone. */
function naming(schema: JsonObject, reference: string): JsonObject {
  const { properties, oneOf } = schema;
  if (isJsonArray(oneOf))
    return { ...schema, oneOf: oneOf.filter(isJsonObject).map((one) => naming(one, reference)) };
  const members = isJsonObject(properties) ? properties : {};
  return { ...schema, properties: { $schema: { const: reference }, ...members } };
}
