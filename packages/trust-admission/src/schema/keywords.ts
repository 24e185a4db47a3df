/** Members whose value is data, not a schema. */
export const DATA: ReadonlySet<string> = new Set([
  "const",
  "default",
  "enum",
  "example",
  "examples",
]);
/** Members that name schemas: their own names are no keywords. */
export const NAMED: ReadonlySet<string> = new Set([
  "$defs",
  "definitions",
  "dependencies",
  "dependentSchemas",
  "patternProperties",
  "properties",
]);
