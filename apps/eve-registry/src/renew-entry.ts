import { inheritedEnvironment } from "@eve/mcp-guard";
import { join } from "node:path";
import { canonicalJson, type JsonObject } from "@eve/canonical-json";
import {
  assemble,
  assembleWithEvidence,
  evidenceReader,
  fileObject,
  readSources,
} from "@eve/registry/sources";
import {
  type FirstPartyEntry,
  isRefused,
  pinnedSurface,
  reviewedLaunch,
  type Refusal,
  reviewSubject,
  parseEvidenceReport,
} from "@eve/registry-schema";
import { judgeGovernance } from "@eve/trust-admission";
import type { Edge } from "./edge.ts";
import {
  loadRegistry,
  type LoadedRegistry,
  requireEntry,
  requireFirstParty,
  withEntry,
} from "./entry-file.ts";
import {
  evaluationOf,
  type Evidenced,
  type EvidenceFile,
  formatJson,
  healthOf,
  reviewOf,
  type Run,
} from "./evidence-files.ts";
import { readAppBuild } from "./first-party.ts";
import { measureEntry } from "./measure-entry.ts";
import type { MeasuredSurface } from "./observe-surfaces.ts";
import { probeHealth } from "./probe-health.ts";
import { runEvaluation } from "./run-evaluation.ts";
import { UsageError } from "./usage-error.ts";
import type { Workspace } from "./workspace.ts";
import { objectOf, textOf } from "./json-values.ts";
import { writeFiles } from "./write-files.ts";

/** How to renew. */
export interface RenewOptions {
  readonly reason: string;
  /** Record a review of the surface, permissions, credentials, destinations and classes as they now stand. */
  readonly review: { readonly reviewer: string } | undefined;
  /** Leave an entry alone whose source, artifacts, pins, evidence and dates are in order. */
  readonly ifStale: boolean;
  readonly tools: Readonly<Record<string, string>>;
}

/** The files of a renewed entry, from the registry's folder; none where nothing was stale. */
export type Renewed =
  | { readonly files: readonly EvidenceFile[] }
  | { readonly refusals: readonly Refusal[] };

/** Renews one first-party entry inside a candidate registry, so that the next one sees the last one's files. */
export async function renewEntry(
  workspace: Workspace,
  id: string,
  options: RenewOptions,
  edge: Edge,
): Promise<Renewed> {
  // Only a review may complete an entry that nobody has reviewed.
  const loaded = loadRegistry(workspace.registry, options.review ? [id] : []);
  if (!loaded.ok) return loaded;
  const { entry, raw } = requireEntry(loaded.assembled, id);
  const firstParty = requireFirstParty(entry);
  edge.progress(`${id}: measuring`);
  const spawning = { spawn: false, packages: workspace.root };
  const measured = await measureEntry(workspace, loaded, entry, raw, spawning, edge.env);
  if (!measured.ok) return measured;
  const current: JsonObject = { ...raw, ...measured.members };
  if (options.ifStale && !options.review && isFresh(raw, current, loaded, edge))
    return { files: [] };
  requireReview(raw, current, options, launchOfReview(loaded, entry.review.evidence.path));
  const renewed = await renewedFiles(
    workspace,
    firstParty,
    raw,
    current,
    measured.surfaces,
    options,
    edge,
  );
  if ("refusals" in renewed) return renewed;
  writeFiles(
    renewed.files.map(({ path, bytes }) => ({ path: join(workspace.registry, path), bytes })),
  );
  return renewed;
}

function isFresh(
  raw: JsonObject,
  current: JsonObject,
  loaded: LoadedRegistry & { ok: true },
  edge: Edge,
): boolean {
  const [before, now] = [raw, current].map((entry) =>
    canonicalJson([entry["source"] ?? null, pinnedSurface(entry)]),
  );
  const standing = judgeGovernance(loaded.assembled.registry, textOf(raw["id"]), edge.now());
  return before === now && standing.length === 0 && assembleWithEvidence(loaded.sources).ok;
}

/** How the last review says the server is launched; undefined where there is no review that can be read. */
function launchOfReview(
  { sources }: LoadedRegistry & { ok: true },
  path: string,
): string | undefined {
  const bytes = evidenceReader(sources.folder)(path);
  const parsed = bytes && parseEvidenceReport(bytes);
  return parsed?.ok && parsed.report.kind === "review" ? parsed.report.launch : undefined;
}

function requireReview(
  raw: JsonObject,
  current: JsonObject,
  { review }: RenewOptions,
  reviewedAs: string | undefined,
): void {
  if (review) return;
  const reviewed = objectOf(raw["review"])["subject"];
  const changes = [
    ...(pinnedSurface(raw) === pinnedSurface(current) ? [] : ["the surface"]),
    ...(reviewSubject(current) === reviewed
      ? []
      : ["a permission, credential, destination, setting, owner or risk class"]),
  ];
  if (reviewedAs !== undefined && reviewedAs !== reviewedLaunch(current))
    changes.push("how it is launched or reached");
  if (changes.length === 0) return;
  const id = textOf(raw["id"]);
  throw new UsageError(
    `${id}: ${changes.join(" and ")} changed since the review. Read the change, then record the review: renew ${id} --review --reviewer TEAM --reason TEXT.`,
  );
}

async function renewedFiles(
  workspace: Workspace,
  entry: FirstPartyEntry,
  raw: JsonObject,
  current: JsonObject,
  surfaces: readonly MeasuredSurface[],
  options: RenewOptions,
  edge: Edge,
): Promise<Renewed> {
  const { id } = entry;
  const now = Math.floor(edge.now() / 1000) * 1000;
  const run: Run = {
    integration: id,
    now,
    command: ["eve-registry", "renew", id, ...(options.review ? ["--review"] : [])],
    tools: options.tools,
    reason: options.reason,
  };
  const by = options.review && { basis: "reviewed" as const, reviewer: options.review.reviewer };
  const review = by && reviewOf(run, current, by, surfaces);
  const base: JsonObject = { ...current, ...(review && { review: review.member }) };
  const provisional = provisionally(run, base);
  const file = `integrations/${id}.json`;
  const read = readSources(workspace.registry);
  if (!read.ok) return read;
  const trial = assemble(withEntry(read.sources, provisional));
  if (!trial.ok) return trial;
  writeFiles([{ path: join(workspace.registry, file), bytes: formatJson(provisional) }]);
  edge.progress(`${id}: probing the built program`);
  const probed = requireFirstParty(requireEntry(trial, id).entry);
  const probe = await probeHealth(probed, trial, workspace.root, edge.env, now);
  if (isRefused(probe.refusals)) return { refusals: probe.refusals };
  const suites = readAppBuild(workspace.root, entry.source.path).evaluation;
  const counts = await runEvaluation(
    workspace.root,
    suites,
    workspace.registry,
    inheritedEnvironment(
      edge.env,
      entry.credentials.map(({ env }) => env),
    ),
    edge.progress,
  );
  const [health, evaluation] = [healthOf(run, base, probe.checks), evaluationOf(run, base, counts)];
  requirePassed(id, health, evaluation);
  const final = orderedLike(raw, {
    ...base,
    health: health.member,
    evaluation: evaluation.member,
  });
  return {
    files: [
      ...health.files,
      ...evaluation.files,
      ...(review?.files ?? []),
      { path: file, bytes: formatJson(fileObject(read.sources, file, final)) },
    ],
  };
}

/** The entry as it will be if probe and evaluation pass: what both run against. */
function provisionally(run: Run, base: JsonObject): JsonObject {
  return {
    ...base,
    health: healthOf(run, base, [{ title: "provisional", passed: true }]).member,
    evaluation: evaluationOf(run, base, { passed: 1, failed: 0, skipped: 0 }).member,
  };
}

function requirePassed(id: string, health: Evidenced, evaluation: Evidenced): void {
  if (health.member["status"] !== "healthy")
    throw new UsageError(`${id}: the health probe failed. Nothing was written.`);
  if (evaluation.member["status"] !== "passed")
    throw new UsageError(
      `${id}: the evaluation failed or skipped tests. Run its suites by hand, mend what they found, then renew. Nothing was written.`,
    );
}

/** The members in the order the file had them, so that a diff shows only what changed. */
function orderedLike(before: JsonObject, after: JsonObject): JsonObject {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return Object.fromEntries(
    keys.flatMap((key) => (after[key] === undefined ? [] : [[key, after[key]]])),
  );
}
