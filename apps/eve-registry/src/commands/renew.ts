import { cpSync, existsSync } from "node:fs";
import { join } from "node:path";
import {
  assembleWithEvidence,
  fileObject,
  readSources,
  type RegistrySources,
} from "@eve/registry/sources";
import type { Edge } from "../edge.ts";
import { loadRegistry, type LoadedRegistry } from "../entry-file.ts";
import { type EvidenceFile, formatJson } from "../evidence-files.ts";
import { type Outcome, refusedOutcome } from "../outcome.ts";
import { renewEntry, type RenewOptions } from "../renew-entry.ts";
import { withTemporaryFolder } from "../temporary-folder.ts";
import { UsageError } from "../usage-error.ts";
import type { Workspace } from "../workspace.ts";
import { writeFiles } from "../write-files.ts";

/**
 * Renews entries: measures, probes, evaluates, and writes digests, evidence, dates and a higher sequence, all or
 * nothing. No ids: every first-party entry. A changed surface or a change of what a review decides is written only
 * with a review, and so is an entry that holds only what its owner wrote.
 */
export async function renew(
  workspace: Workspace,
  ids: readonly string[],
  options: RenewOptions,
  edge: Edge,
): Promise<Outcome> {
  const drafts = options.review ? ids : [];
  const loaded = loadRegistry(workspace.registry, drafts);
  if (!loaded.ok) return refusedOutcome(loaded.refusals);
  const { chosen, leftAlone } = choose(loaded, ids);
  return withTemporaryFolder(async (folder) => {
    const candidate = copyRegistry(workspace.registry, join(folder, "registry"));
    const renewed: string[] = [];
    const files: EvidenceFile[] = [];
    for (const id of chosen) {
      const result = await renewEntry({ ...workspace, registry: candidate }, id, options, edge);
      if ("refusals" in result) return refusedOutcome(result.refusals);
      if (result.files.length > 0) renewed.push(id);
      files.push(...result.files);
    }
    const fresh = chosen.filter((id) => !renewed.includes(id));
    const others = [...fresh.map((id) => `✓ ${id}: nothing is stale`), ...leftAlone];
    if (renewed.length === 0)
      return {
        lines: [...others, "Nothing was written."],
        json: { renewed: [], files: [] },
        refusals: [],
      };
    const landed = land(workspace.registry, candidate, { loaded, drafts }, renewed, files);
    return { ...landed, lines: [...landed.lines, ...others] };
  });
}

interface Choice {
  readonly chosen: readonly string[];
  /** A line for each entry that is not renewed here. */
  readonly leftAlone: readonly string[];
}

function choose({ assembled }: LoadedRegistry & { ok: true }, ids: readonly string[]): Choice {
  if (ids.length > 0) return { chosen: ids, leftAlone: [] };
  const entries = [...assembled.registry.integrations.values()].flatMap((record) =>
    record.status === "complete" ? [record.entry] : [],
  );
  return {
    chosen: entries.filter(({ origin }) => origin === "first-party").map(({ id }) => id),
    leftAlone: entries
      .filter(({ origin }) => origin === "third-party")
      .map(({ id }) => `- ${id}: a third party's, left alone`),
  };
}

/** The registry as a renewal found it, and which of its entries it took for drafts. */
interface Before {
  readonly loaded: LoadedRegistry & { ok: true };
  readonly drafts: readonly string[];
}

/** Everything is tried out in a copy, so that the registry sees nothing of a renewal that fails. */
function copyRegistry(from: string, to: string): string {
  for (const part of ["registry.json", "integrations", "evidence"])
    if (existsSync(join(from, part))) cpSync(join(from, part), join(to, part), { recursive: true });
  return to;
}

/** Checks the whole candidate once more, evidence too, then writes it over the registry with the next sequence. */
function land(
  registry: string,
  candidate: string,
  before: Before,
  renewed: readonly string[],
  files: readonly EvidenceFile[],
): Outcome {
  const read = readSources(candidate);
  if (!read.ok) return refusedOutcome(read.refusals);
  const sequence = before.loaded.assembled.registry.sequence + 1;
  const manifest = { ...read.sources.manifest, sequence };
  const sources: RegistrySources = { ...read.sources, manifest };
  const assembled = assembleWithEvidence(sources);
  if (!assembled.ok) return refusedOutcome(assembled.refusals);
  requireUnchanged(registry, before);
  const landed = fileObject(sources, "registry.json", manifest);
  const all = [...files, { path: "registry.json", bytes: formatJson(landed) }];
  writeFiles(all.map(({ path, bytes }) => ({ path: join(registry, path), bytes })));
  return {
    lines: [
      ...renewed.map((id) => `✓ ${id}: renewed`),
      ...all.map(({ path }) => `    wrote ${path}`),
      `  sequence ${sequence}`,
    ],
    json: { renewed: [...renewed], sequence, files: all.map(({ path }) => path) },
    refusals: [],
  };
}

/** A renewal takes minutes: what a person or another renewal wrote meanwhile is not overwritten. */
function requireUnchanged(registry: string, { loaded, drafts }: Before): void {
  const now = loadRegistry(registry, drafts);
  if (now.ok && Buffer.compare(now.assembled.bytes, loaded.assembled.bytes) === 0) return;
  throw new UsageError(
    "The registry changed while it was renewed. Nothing was written: renew again.",
  );
}
