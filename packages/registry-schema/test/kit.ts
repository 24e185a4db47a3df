import type { JsonObject, JsonValue } from "@eve/canonical-json";
import { parseRegistry, type Refusal, type Registry } from "@eve/registry-schema";
import { bytesOf, goodDocument, goodEntry, NOW, type Path, withValue } from "@eve/test-kit";

/** The good first-party entry over stdio at the kit's clock. */
export const ENTRY: JsonObject = goodEntry({ now: NOW });

/** The good document of that one entry. */
export const DOCUMENT: JsonObject = goodDocument({ entries: [ENTRY] }).value;

/** The refusals that the bytes of a document earn as a whole; empty where it parses. */
export function refusalsOf(document: JsonValue | Uint8Array | string): readonly Refusal[] {
  const bytes =
    document instanceof Uint8Array
      ? document
      : typeof document === "string"
        ? new TextEncoder().encode(document)
        : bytesOf(document);
  const result = parseRegistry(bytes);
  return result.ok ? [] : result.refusals;
}

/** The registry that good bytes hold. */
export function registryOf(document: JsonValue): Registry {
  const result = parseRegistry(bytesOf(document));
  if (!result.ok) throw new TypeError(`no registry: ${result.refusals[0].code}`);
  return result.registry;
}

/** The faults of one entry, found through the bytes of a document that holds it alone; empty where it is complete. */
export function faultsOfEntry(entry: JsonObject): readonly Refusal[] {
  const result = parseRegistry(goodDocument({ entries: [entry] }).bytes);
  if (!result.ok) return result.refusals;
  const [record] = result.registry.integrations.values();
  return record?.status === "faulty" ? record.refusals : [];
}

/** The faults of the good entry with one place changed; `undefined` removes it. */
export function faultsWith(
  path: Path,
  value: JsonValue | undefined,
  entry: JsonObject = ENTRY,
): readonly Refusal[] {
  return faultsOfEntry(withValue(entry, path, value));
}

/** `code subject` of the first refusal, or "complete". */
export function firstOf(refusals: readonly Refusal[]): string {
  const [first] = refusals;
  return first ? `${first.code} ${first.subject}` : "complete";
}
