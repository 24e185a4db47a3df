import type { JsonObject } from "@eve/canonical-json";
import { byText } from "./by-text.ts";

/**
 * The assembled document of a manifest and its entries, entries in the order of their ids: `registry.json` beside a
 * program. The `$schema` by which a source file names its JSON Schema is no part of it.
 */
export function assembleDocument(manifest: JsonObject, entries: readonly JsonObject[]): JsonObject {
  const byId = entries.map(withoutSchema).toSorted(byText("id"));
  return { ...withoutSchema(manifest), integrations: byId };
}

function withoutSchema(source: JsonObject): JsonObject {
  const { $schema: _reference, ...rest } = source;
  return rest;
}
