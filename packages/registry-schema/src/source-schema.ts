/** What names the JSON Schemas of the contract's files. */
const NAME = "eve.external-integration-registry.v1";

/** A JSON Schema for editors, and the one `$schema` by which a source file may name it. */
export interface SourceSchema {
  /** File name in a registry's folder `schema/`. */
  readonly file: string;
  /** Relative path from the source file; the assembled document does not hold it. */
  readonly reference: string;
}

/** The schema of `integrations/<id>.json`. */
export const ENTRY_SCHEMA: SourceSchema = {
  file: `${NAME}.entry.schema.json`,
  reference: `../schema/${NAME}.entry.schema.json`,
};

/** The schema of the sources' `registry.json`. */
export const MANIFEST_SCHEMA: SourceSchema = {
  file: `${NAME}.manifest.schema.json`,
  reference: `./schema/${NAME}.manifest.schema.json`,
};

/** File name of the schema of an assembled document, which names no schema itself. */
export const DOCUMENT_SCHEMA_FILE: string = `${NAME}.schema.json`;
