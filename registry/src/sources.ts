import { isJsonObject, type JsonObject, parseJson } from "@eve/canonical-json";
import {
  assembleDocument,
  isContainedPath,
  isRefused,
  parseManifest,
  parseRegistry,
  type Refusal,
  refusal,
  type Refusals,
  type Registry,
} from "@eve/registry-schema";
import { readRegularFileSync } from "@eve/mcp-guard/regular-file";
import { judgeEvidence, judgeGateEvidence } from "@eve/trust-admission";
import { readdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { withoutReference, withReference } from "./schema-reference.ts";

/** Most bytes of any file of a registry. */
const MAX_BYTES = 8 * 1024 * 1024;

/** The sources of a registry: the manifest and one raw entry a file. */
export interface RegistrySources {
  readonly folder: string;
  readonly manifest: JsonObject;
  readonly entries: readonly { readonly file: string; readonly raw: JsonObject }[];
  /** The files that name their JSON Schema; the raw objects here do not, as it is no part of the contract. */
  readonly referring: ReadonlySet<string>;
}

/** An assembled registry: the document's bytes as they stand beside a program, and the same parsed. */
export interface AssembledRegistry {
  readonly bytes: Uint8Array;
  readonly registry: Registry;
}

type Result<T> = ({ readonly ok: true } & T) | { readonly ok: false; readonly refusals: Refusals };

/**
 * Reads a registry's folder: registry.json and integrations/<id>.json. Each fault names the file, and for JSON the
 * line and column. Answers `registry.missing`, `registry.unreadable` and the codes of the strict parser.
 */
export function readSources(folder: string): Result<{ readonly sources: RegistrySources }> {
  const manifest = readObject(folder, "registry.json");
  if (!manifest.ok) return manifest;
  const names = listEntries(folder);
  if (!names)
    return refused([
      refusal("registry.missing", {
        subject: "integrations/",
        expected: "a folder of entries",
        actual: "none",
      }),
    ]);
  const read = names.map((name) => ({
    file: `integrations/${name}`,
    result: readObject(folder, `integrations/${name}`),
  }));
  const refusals = read.flatMap(({ file, result }) =>
    result.ok ? misnamed(file, result.raw) : result.refusals,
  );
  if (isRefused(refusals)) return { ok: false, refusals };
  const entries = read.flatMap(({ file, result }) =>
    result.ok ? [{ file, raw: result.raw }] : [],
  );
  const referring = new Set([
    ...(manifest.isReferring ? ["registry.json"] : []),
    ...read.flatMap(({ file, result }) => (result.ok && result.isReferring ? [file] : [])),
  ]);
  return { ok: true, sources: { folder, manifest: manifest.raw, entries, referring } };
}

/** The bytes' object that goes into a file of the sources: it names its JSON Schema where the file did before. */
export function fileObject(sources: RegistrySources, file: string, raw: JsonObject): JsonObject {
  return sources.referring.has(file) ? withReference(file, raw) : raw;
}

/** Joins sources into the document an executable obeys and parses it. A fault of an entry refuses here too: what is wrong is not shipped. */
export function assemble(sources: RegistrySources): Result<AssembledRegistry> {
  const head = parseManifest(sources.manifest);
  if (!head.ok) return head;
  const document = assembleDocument(
    sources.manifest,
    sources.entries.map(({ raw }) => raw),
  );
  const bytes = Buffer.from(`${JSON.stringify(document, null, 2)}\n`);
  const parsed = parseRegistry(bytes);
  if (!parsed.ok) return parsed;
  const faults = [...parsed.registry.integrations.values()].flatMap((record) =>
    record.status === "faulty" ? record.refusals : [],
  );
  return isRefused(faults)
    ? { ok: false, refusals: faults }
    : { ok: true, bytes, registry: parsed.registry };
}

/** Assembles, and holds every entry and every met gate against its evidence files. */
export function assembleWithEvidence(sources: RegistrySources): Result<AssembledRegistry> {
  const assembled = assemble(sources);
  if (!assembled.ok) return assembled;
  const read = evidenceReader(sources.folder);
  const { dependencyGates, integrations } = assembled.registry;
  const entries = [...integrations.values()].flatMap((record) =>
    record.status === "complete" ? judgeEvidence(record.entry, record.raw, read) : [],
  );
  const refusals = [...judgeGateEvidence(dependencyGates, read), ...entries];
  return isRefused(refusals) ? { ok: false, refusals } : assembled;
}

/** Reads evidence by its path from the registry's folder; nothing outside evidence/ and no link. */
export function evidenceReader(folder: string): (path: string) => Uint8Array | undefined {
  return (path) => {
    if (!isContainedPath(path) || !path.startsWith("evidence/") || isLinked(folder, path))
      return undefined;
    const result = readRegularFileSync(join(folder, path), { maxBytes: MAX_BYTES });
    return "bytes" in result ? result.bytes : undefined;
  };
}

/** Whether a part of the path below the folder is a link, or does not exist. */
function isLinked(folder: string, path: string): boolean {
  try {
    return realpathSync(join(folder, path)) !== join(realpathSync(folder), path);
  } catch {
    return true;
  }
}

function readObject(
  folder: string,
  file: string,
): Result<{ readonly raw: JsonObject; readonly isReferring: boolean }> {
  const result = readRegularFileSync(join(folder, file), { maxBytes: MAX_BYTES });
  if ("fault" in result)
    return refused([
      refusal(`registry.${result.fault === "not_regular" ? "unreadable" : result.fault}`, {
        subject: file,
        expected: "a readable file",
        actual: result.fault,
      }),
    ]);
  const parsed = parseJson(result.bytes, { profile: "registry" });
  if (!parsed.ok) {
    const { code, line, column, reason } = parsed.fault;
    return refused([
      refusal(`registry.${code}`, {
        subject: `${file}, line ${line}, column ${column}`,
        expected: "strict JSON (RFC 8259)",
        actual: reason,
      }),
    ]);
  }
  if (!isJsonObject(parsed.value))
    return refused([
      refusal("registry.unparseable", {
        subject: file,
        expected: "an object",
        actual: "another value",
      }),
    ]);
  const found = withoutReference(file, parsed.value);
  return "refusal" in found ? refused([found.refusal]) : { ok: true, ...found };
}

function misnamed(file: string, raw: JsonObject): readonly Refusal[] {
  if (typeof raw["id"] !== "string" || file === `integrations/${raw["id"]}.json`) return [];
  return [
    refusal("registry.field_invalid", {
      subject: `${file}: id`,
      expected: "the file's name without .json",
      actual: "another id",
    }),
  ];
}

function listEntries(folder: string): readonly string[] | undefined {
  try {
    return readdirSync(join(folder, "integrations"))
      .filter((name) => name.endsWith(".json"))
      .toSorted();
  } catch {
    return undefined;
  }
}

function refused(refusals: readonly [Refusal, ...Refusal[]]): {
  readonly ok: false;
  readonly refusals: Refusals;
} {
  return { ok: false, refusals };
}
