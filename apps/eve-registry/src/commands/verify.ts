import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  assembleWithEvidence,
  type AssembledRegistry,
  type RegistrySources,
} from "@eve/registry/sources";
import {
  assembleDocument,
  type Entry,
  type FirstPartyEntry,
  type Refusal,
  refusal,
} from "@eve/registry-schema";
import {
  diffSurfaces,
  judgeGovernance,
  judgeStanding,
  judgeSuccession,
  type Surface,
} from "@eve/trust-admission";
import { comparisonLines } from "../change-lines.ts";
import type { Edge } from "../edge.ts";
import { loadRegistry } from "../entry-file.ts";
import { observeFirstParty, programOf } from "../first-party.ts";
import { type Outcome, refusedOutcome } from "../outcome.ts";
import { type Probe, probeHealth } from "../probe-health.ts";
import { registryAtRevision } from "../registry-at-revision.ts";
import { readReviewedSurface } from "../reviewed-surface.ts";
import { isServable } from "../served-program.ts";
import { UsageError } from "../usage-error.ts";
import type { Workspace } from "../workspace.ts";

/** How far to verify. */
export interface VerifyOptions {
  /** Run each first-party program of this machine as built and hold what it serves against its entry. */
  readonly live: boolean;
  /** A git revision whose registry this one must be a true successor of. */
  readonly since?: string | undefined;
}

/**
 * Verifies that no entry is stale: structure, evidence, dates, the build against its source, source and artifacts
 * against the entry, and the registry file that lies beside the program. Writes nothing.
 */
export async function verify(
  workspace: Workspace,
  { live, since }: VerifyOptions,
  edge: Edge,
): Promise<Outcome> {
  const loaded = loadRegistry(workspace.registry);
  if (!loaded.ok) return refusedOutcome(loaded.refusals);
  const { assembled, sources } = loaded;
  const evidenced = assembleWithEvidence(sources);
  const succession = since === undefined ? [] : successionRefusals(workspace, sources, since, edge);
  const unsupported = [...succession, ...(evidenced.ok ? [] : evidenced.refusals)];
  const reports: Report[] = [];
  for (const record of assembled.registry.integrations.values()) {
    if (record.status !== "complete") continue; // loadRegistry has refused it
    const { entry } = record;
    const own = unsupported.filter(({ integration }) => integration === entry.id);
    const stale = [...own, ...standingRefusals(workspace, assembled, entry, edge)];
    const isRun = live && stale.length === 0 && isLaunchable(entry);
    const { refusals, refused } = isRun
      ? await probeLive(workspace, assembled, entry, edge)
      : NOT_RUN;
    const compared = refused.flatMap((surface) => comparisonWith(workspace, entry, surface));
    reports.push({ id: entry.id, refusals: [...stale, ...refusals], isRun, compared });
  }
  const ids = new Set<string | null>(reports.map(({ id }) => id));
  const general = unsupported.filter(({ integration }) => !ids.has(integration));
  const { sequence } = assembled.registry;
  return {
    lines: [
      `registry: sequence ${sequence}, ${reports.length} ${reports.length === 1 ? "entry" : "entries"}`,
      ...reports.flatMap((report) => [lineOf(report, live), ...report.compared]),
    ],
    json: {
      sequence,
      entries: reports.map(({ id, refusals, isRun }) => ({
        id,
        fresh: refusals.length === 0,
        served: isRun,
      })),
    },
    refusals: [...general, ...reports.flatMap(({ refusals }) => refusals)],
  };
}

/** What stands against this registry as the next one after a revision's. */
function successionRefusals(
  { registry }: Workspace,
  sources: RegistrySources,
  since: string,
  edge: Edge,
): readonly Refusal[] {
  const before = registryAtRevision(registry, since, edge.env);
  const after = assembleDocument(
    sources.manifest,
    sources.entries.map(({ raw }) => raw),
  );
  return judgeSuccession(before, after);
}

interface Report {
  readonly id: string;
  readonly refusals: readonly Refusal[];
  /** Whether its program was run and compared. */
  readonly isRun: boolean;
  /** For people: what a refused surface has that the reviewed one has not, and the other way round. */
  readonly compared: readonly string[];
}

const NOT_RUN: Pick<Probe, "refusals" | "refused"> = { refusals: [], refused: [] };

function lineOf({ id, refusals, isRun }: Report, live: boolean): string {
  if (refusals.length > 0) return `✗ ${id}`;
  if (!live) return `✓ ${id}: fresh`;
  return isRun
    ? `✓ ${id}: fresh, and served as pinned`
    : `✓ ${id}: fresh; not run from here, so not compared`;
}

function standingRefusals(
  workspace: Workspace,
  assembled: AssembledRegistry,
  entry: Entry,
  edge: Edge,
): readonly Refusal[] {
  const { registry } = assembled;
  if (entry.origin === "third-party") return judgeGovernance(registry, entry.id, edge.now());
  const standing = observeBuild(entry, workspace.root);
  if ("actual" in standing) return [standing, ...judgeGovernance(registry, entry.id, edge.now())];
  const stale = standing.staleBuild.map((path) =>
    refusal("source.changed", {
      integration: entry.id,
      subject: path,
      expected: "as built",
      actual: "changed since the build; run npm run build",
    }),
  );
  return [
    ...stale,
    ...judgeStanding(registry, standing, edge.now()),
    ...shippedRegistry(workspace, assembled, entry),
  ];
}

/** A missing build is as stale as a build can be. */
function observeBuild(
  entry: FirstPartyEntry,
  root: string,
): ReturnType<typeof observeFirstParty> | Refusal {
  try {
    return observeFirstParty(entry, root);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return refusal("artifact.changed", {
      integration: entry.id,
      subject: entry.source.path,
      expected: "a build",
      actual: error.message,
    });
  }
}

function isLaunchable(entry: Entry): entry is FirstPartyEntry {
  return entry.origin === "first-party" && (entry.transport.type === "stdio" || isServable(entry));
}

function probeLive(
  { root }: Workspace,
  assembled: AssembledRegistry,
  entry: FirstPartyEntry,
  edge: Edge,
): Promise<Probe> {
  edge.progress(`${entry.id}: running the built program`);
  return probeHealth(entry, assembled, root, edge.env, edge.now());
}

/** The texts that differ stand in these lines alone: a refusal names the place and both digests, and no live text. */
function comparisonWith(
  { registry }: Workspace,
  entry: Entry,
  surface: Surface,
): readonly string[] {
  const version = entry.protocol.versions.find((one) => one === surface.protocolVersion);
  if (version === undefined) return [];
  try {
    const reviewed = readReviewedSurface(registry, entry, version);
    return comparisonLines(entry.id, surface, diffSurfaces(reviewed, surface));
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return [`${entry.id} in ${version}: not compared. ${error.message}`];
  }
}

/** The registry beside the built program must be this one; one that is reached by URL does not know its judge and has none. */
function shippedRegistry(
  { root }: Workspace,
  { bytes, registry }: AssembledRegistry,
  entry: FirstPartyEntry,
): readonly Refusal[] {
  if (entry.transport.type !== "stdio") return [];
  const file = join(dirname(programOf(entry, root)), "registry.json");
  if (existsSync(file) && Buffer.compare(readFileSync(file), bytes) === 0) return [];
  const actual = existsSync(file) ? "another registry" : "no registry";
  return [
    refusal("registry.rollback", {
      integration: entry.id,
      subject: "registry.json beside the built program",
      expected: `sequence ${registry.sequence}`,
      actual: `${actual}; run npm run build`,
    }),
  ];
}
