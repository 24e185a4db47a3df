import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  parseJson,
  type Sha256,
  sha256,
} from "@eve/canonical-json";
import { type Manifest, manifestShape } from "./document.ts";
import { type Entry } from "./entry.ts";
import { rememberDigests } from "./entry-digest.ts";
import { instantMs } from "./instant.ts";
import { faultsOf, parseEntry } from "./parse-entry.ts";
import { type Refusal, type Refusals, isRefused, refusal } from "./refusal.ts";
import { collidingNames, ID, repeatedAt } from "./text.ts";
import { CONTRACT } from "./vocabulary.ts";

/** What the registry holds for one id: a complete entry with its raw JSON, or the faults that refuse it. */
export type RegistryRecord =
  | { readonly status: "complete"; readonly entry: Entry; readonly raw: JsonObject }
  | { readonly status: "faulty"; readonly refusals: Refusals };

/** A registry document that may be asked; entries with faults are refused one by one. Deeply frozen. */
export interface Registry extends Manifest {
  readonly integrations: ReadonlyMap<string, RegistryRecord>;
  /** Plain SHA-256 of the document's bytes. */
  readonly sha256: Sha256;
  /** The latest observation, review or lifecycle change of any complete entry, in epoch ms: a clock behind it is refused. */
  readonly newestObservationMs: number;
}

/** How much one document may be. A program reads under the defaults; a library may be told others. */
export interface RegistryLimits {
  /** Bytes of the whole document; 8 MiB where not said. */
  readonly maxBytes: number;
  /** Values of the whole document; 250,000 where not said: about 2,000 entries of seven tools. */
  readonly maxValues: number;
  /** Members of any one list or object; 4096 where not said. */
  readonly maxMembers: number;
}

/** What {@link parseRegistry} may be told. */
export interface RegistryOptions {
  readonly limits?: Partial<RegistryLimits>;
}

const DEFAULT_LIMITS: RegistryLimits = {
  maxBytes: 8 * 1024 * 1024,
  maxValues: 250_000,
  maxMembers: 4096,
};

export type RegistryResult =
  | { readonly ok: true; readonly registry: Registry }
  | { readonly ok: false; readonly refusals: Refusals };

/**
 * Parses an assembled registry document from its bytes. A fault of the document refuses everything and is answered
 * here (`registry.*`); a fault inside one entry makes that record faulty and leaves the others. Never throws.
 */
export function parseRegistry(bytes: Uint8Array, options: RegistryOptions = {}): RegistryResult {
  try {
    return parseDocument(bytes, { ...DEFAULT_LIMITS, ...options.limits });
  } catch (error) {
    return refuse([
      refusal("internal.error", {
        subject: "document",
        expected: "a decision",
        actual: error instanceof RangeError ? "RangeError" : "an error",
      }),
    ]);
  }
}

function parseDocument(bytes: Uint8Array, limits: RegistryLimits): RegistryResult {
  const { maxBytes, maxValues, maxMembers } = limits;
  const parsed = parseJson(bytes, { profile: "registry", limits: { maxBytes, maxValues } });
  if (!parsed.ok) {
    const { code, line, column, reason } = parsed.fault;
    return refuse([
      refusal(`registry.${code}`, {
        subject: `line ${line}, column ${column}`,
        expected: "strict JSON (RFC 8259)",
        actual: reason,
      }),
    ]);
  }
  if (isTooWide(parsed.value, maxMembers))
    return refuse([
      refusal("registry.too_large", {
        subject: "document",
        expected: `at most ${maxMembers} members a list or object`,
        actual: "more",
      }),
    ]);
  const document = parsed.value;
  if (!isJsonObject(document))
    return refuse([
      refusal("registry.unparseable", {
        subject: "document",
        expected: "an object",
        actual: "another value",
      }),
    ]);
  const { integrations, ...manifest } = document;
  const head = parseManifest(manifest);
  if (!head.ok) return head;
  const records = parseIntegrations(integrations);
  if (!records.ok) return records;
  const registry = deepFreeze({
    ...head.manifest,
    integrations: records.records,
    sha256: sha256(bytes),
    newestObservationMs: newest(records.records),
  });
  for (const record of registry.integrations.values())
    if (record.status === "complete") rememberDigests(record.raw);
  return { ok: true, registry };
}

/** Parses the part of the document that is not an entry. Answers `registry.contract_unknown`, field codes. */
export function parseManifest(
  raw: JsonObject,
):
  | { readonly ok: true; readonly manifest: Manifest }
  | { readonly ok: false; readonly refusals: Refusals } {
  if (raw["contract"] !== undefined && raw["contract"] !== CONTRACT)
    return refuse([
      refusal("registry.contract_unknown", {
        subject: "contract",
        expected: CONTRACT,
        actual: "another contract",
      }),
    ]);
  const parsed = manifestShape.safeParse(raw);
  if (parsed.success) return { ok: true, manifest: parsed.data };
  return refuse(
    faultsOf(parsed.error.issues, raw).map(({ code, path, expected, actual }) =>
      refusal(code, { subject: path, expected, actual }),
    ),
  );
}

function parseIntegrations(
  raw: JsonValue | undefined,
):
  | { readonly ok: true; readonly records: ReadonlyMap<string, RegistryRecord> }
  | { readonly ok: false; readonly refusals: Refusals } {
  if (raw === undefined)
    return refuse([
      refusal("registry.field_missing", {
        subject: "integrations",
        expected: "a list of entries",
        actual: "missing",
      }),
    ]);
  if (!isJsonArray(raw))
    return refuse([
      refusal("registry.field_invalid", {
        subject: "integrations",
        expected: "a list of entries",
        actual: "another value",
      }),
    ]);
  if (raw.length === 0)
    return refuse([
      refusal("registry.empty", {
        subject: "integrations",
        expected: "at least one entry",
        actual: "none",
      }),
    ]);
  const refusals = [...unidentified(raw), ...repeated(raw)];
  if (isRefused(refusals)) return { ok: false, refusals };
  const entries = raw.filter(isJsonObject); // all of them: what is no object has no id
  return {
    ok: true,
    records: new Map(entries.map((entry) => [idOf(entry) ?? "", toRecord(entry)])),
  };
}

/** A record is frozen as it is made, while it is at hand: a walk through a large registry of its own costs far more. */
function toRecord(raw: JsonObject): RegistryRecord {
  const result = parseEntry(raw, idOf(raw) ?? "");
  return result.ok
    ? deepFreeze({ status: "complete", entry: result.entry, raw })
    : deepFreeze({ status: "faulty", refusals: result.refusals });
}

function unidentified(entries: readonly JsonValue[]): readonly Refusal[] {
  return entries.flatMap((entry, i) => {
    const id = idOf(entry);
    if (id !== undefined && ID.test(id)) return [];
    const isAbsent = !isJsonObject(entry) || entry["id"] === undefined;
    const place = {
      subject: `integrations[${i}].id`,
      expected: "an id: a-z, 0-9 and -, at most 64",
      actual: isAbsent ? "missing" : "another value",
    };
    return [refusal(isAbsent ? "registry.field_missing" : "registry.field_invalid", place)];
  });
}

function repeated(entries: readonly JsonValue[]): readonly Refusal[] {
  const ids = entries.flatMap((entry) => idOf(entry) ?? []);
  const twice = repeatedAt(ids).map((i) => ids[i] ?? "");
  const alike = collidingNames(ids);
  return [
    ...twice.map((id) =>
      refusal("registry.duplicate_entry", {
        integration: ID.test(id) ? id : null,
        subject: "integrations",
        expected: "one entry an id",
        actual: "two entries",
      }),
    ),
    ...alike.map(([a, b]) =>
      refusal("registry.id_collision", {
        integration: ID.test(b) ? b : null,
        subject: "integrations",
        expected: "ids that differ",
        actual: ID.test(a) ? `too like ${a}` : "too like another",
      }),
    ),
  ];
}

/** Bounds the work of what follows: millions of members would each earn a refusal. */
function isTooWide(value: JsonValue, maxMembers: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  const members: readonly JsonValue[] = Object.values(value);
  return !(members.length <= maxMembers) || members.some((member) => isTooWide(member, maxMembers));
}

function newest(records: ReadonlyMap<string, RegistryRecord>): number {
  const entries = [...records.values()].flatMap((record) =>
    record.status === "complete" ? [record.entry] : [],
  );
  const observed = entries.flatMap(({ lifecycle, health, evaluation, review }) => [
    lifecycle.since,
    health.observedAt,
    evaluation.observedAt,
    review.reviewedAt,
  ]);
  return observed.map(instantMs).reduce((latest, ms) => Math.max(latest, ms), 0);
}

function idOf(entry: JsonValue): string | undefined {
  if (!isJsonObject(entry)) return undefined;
  return typeof entry["id"] === "string" ? entry["id"] : undefined;
}

function refuse(refusals: readonly Refusal[]): { readonly ok: false; readonly refusals: Refusals } {
  if (!isRefused(refusals)) throw new TypeError("a refusal needs a cause");
  return { ok: false, refusals };
}

function deepFreeze<T extends object>(value: T): T {
  const children: Iterable<unknown> = value instanceof Map ? value.values() : Object.values(value);
  for (const child of children)
    if (typeof child === "object" && child !== null && !Object.isFrozen(child)) deepFreeze(child);
  return value instanceof Map ? value : Object.freeze(value);
}
