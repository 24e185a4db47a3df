import type { JsonObject } from "@eve/canonical-json";
import { byText } from "./by-text.ts";

/** The assembled document of a manifest and its entries, entries in the order of their ids: `registry.json` beside a program. */
export function assembleDocument(manifest: JsonObject, entries: readonly JsonObject[]): JsonObject {
  const byId = entries.toSorted(byText("id"));
  return { ...manifest, integrations: byId };
}
