import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { type JsonObject, sha256 } from "@eve/canonical-json";
import {
  addCalendarMonths,
  assembleDocument,
  formatInstant,
  HEALTH_WINDOW_MS,
  REVIEW_WINDOW_MONTHS,
} from "@eve/registry-schema";
import { loadRegistry, requireEntry, requireFirstParty } from "./entry-file.ts";
import { observeFirstParty, programOf } from "./first-party.ts";
import { UsageError } from "./usage-error.ts";
import type { Workspace } from "./workspace.ts";
import { objectOf } from "./json-values.ts";
import { writeFiles } from "./write-files.ts";

/** A copy of a built program with a registry of its own, for trying things out; it is no release and no review. */
export interface Trial {
  /** Absolute path of the copied program. */
  readonly program: string;
  /** Absolute path of the registry.json beside it. */
  readonly registry: string;
  /** The entry as written. */
  readonly entry: JsonObject;
}

/** What a trial changes before it writes: all three get the good value and answer the one to use. */
export interface TrialChanges {
  /** Bytes of the program. */
  readonly program?: (bytes: Uint8Array) => Uint8Array;
  /** The entry, already dated now and with the digests of the program as changed. */
  readonly entry?: (entry: JsonObject) => JsonObject;
  /** The document's members beside the entries. */
  readonly manifest?: (manifest: JsonObject) => JsonObject;
}

/**
 * Copies a first-party program into `folder` beside a registry whose entry is the committed one dated now (epoch ms),
 * with the source digest of the present build and the digest of the program's bytes. Its pins stay the committed ones.
 * Throws UsageError where the registry has no such entry, its files are refused, or there is no build.
 */
export function makeTrialFolder(
  workspace: Workspace,
  id: string,
  folder: string,
  now: number,
  changes: TrialChanges = {},
): Trial {
  const loaded = loadRegistry(workspace.registry);
  if (!loaded.ok) throw new UsageError(`${loaded.refusals[0].code}: ${loaded.refusals[0].subject}`);
  const { entry, raw } = requireEntry(loaded.assembled, id);
  const firstParty = requireFirstParty(entry);
  const { value: observed } = observeFirstParty(firstParty, workspace.root).source;
  const built = programOf(firstParty, workspace.root);
  const program = join(folder, basename(built));
  const bytes = changes.program?.(readFileSync(built)) ?? readFileSync(built);
  const artifactDigest = (file: string): string =>
    sha256(file === built ? bytes : readFileSync(file));
  copyFileSync(built, program);
  writeFileSync(program, bytes);
  const digested = {
    ...raw,
    source: {
      ...objectOf(raw["source"]),
      sha256: observed.sha256,
      artifacts: firstParty.source.artifacts.map(({ path }) => ({
        path,
        sha256: artifactDigest(join(workspace.root, firstParty.source.path, path)),
      })),
    },
  };
  const dated = datedNow(digested, now);
  const final = changes.entry?.(dated) ?? dated;
  const manifest = changes.manifest?.(loaded.sources.manifest) ?? loaded.sources.manifest;
  const registry = join(folder, "registry.json");
  writeFiles([
    { path: registry, bytes: `${JSON.stringify(assembleDocument(manifest, [final]), null, 2)}\n` },
  ]);
  return { program, registry, entry: final };
}

/** An entry healthy, evaluated and reviewed at `now`, with the full windows. For trials: nothing was observed. */
export function datedNow(entry: JsonObject, now: number): JsonObject {
  const at = formatInstant(now);
  const sixMonths = formatInstant(addCalendarMonths(now, REVIEW_WINDOW_MONTHS));
  return {
    ...entry,
    lifecycle: { ...objectOf(entry["lifecycle"]), since: at },
    health: {
      ...objectOf(entry["health"]),
      status: "healthy",
      observedAt: at,
      expiresAt: formatInstant(now + HEALTH_WINDOW_MS),
    },
    evaluation: {
      ...objectOf(entry["evaluation"]),
      status: "passed",
      observedAt: at,
      expiresAt: sixMonths,
    },
    review: { ...objectOf(entry["review"]), reviewedAt: at, expiresAt: sixMonths },
  };
}
