import { isJsonObject, type JsonObject, parseJson } from "@eve/canonical-json";
import type { Refusals } from "@eve/registry-schema";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { assembleWithEvidence, readSources } from "./sources.ts";

/** Thrown on import where the registry's own files are refused: nothing is exported half. */
export class RegistryError extends Error {
  override readonly name = "RegistryError";
  readonly code: string;
  readonly refusals: Refusals;
  constructor(refusals: Refusals) {
    const [{ code, subject, expected, actual, remedy }] = refusals;
    super(`${code}: ${subject}: expected ${expected}, found ${actual}. ${remedy}`);
    this.code = code;
    this.refusals = refusals;
  }
}

/** The registry's folder: src and dist both lie directly in it. */
const FOLDER = dirname(dirname(fileURLToPath(import.meta.url)));

/** Read once: the object and the bytes are of one moment. */
const LOADED = load();

/**
 * Eve's authoritative registry as assembled from the reviewed files: `{contract, sequence, dependencyGates,
 * integrations}`, deeply frozen (ADR-0092, ADR-0093). To decide with it, parse the same document: parseRegistry of
 * `@eve/registry-schema` on {@link externalIntegrationRegistryBytes}.
 */
export const EXTERNAL_INTEGRATION_REGISTRY: JsonObject = deepFreeze(LOADED.document);

/**
 * The name that callers of the first registry use: the same object.
 * @alias
 */
export const MCP_SERVER_INVENTORY: JsonObject = EXTERNAL_INTEGRATION_REGISTRY;

/** A copy of the assembled document's bytes. */
export function externalIntegrationRegistryBytes(): Uint8Array {
  return Uint8Array.from(LOADED.bytes);
}

function load(): { readonly document: JsonObject; readonly bytes: Uint8Array } {
  const read = readSources(FOLDER);
  if (!read.ok) throw new RegistryError(read.refusals);
  const assembled = assembleWithEvidence(read.sources);
  if (!assembled.ok) throw new RegistryError(assembled.refusals);
  const parsed = parseJson(assembled.bytes, { profile: "registry" });
  if (!parsed.ok || !isJsonObject(parsed.value))
    throw new TypeError("an assembled registry is an object");
  return { document: parsed.value, bytes: assembled.bytes };
}

function deepFreeze<T>(value: T): T {
  if (typeof value !== "object" || value === null) return value;
  for (const child of Object.values(value)) deepFreeze(child);
  return Object.freeze(value);
}
