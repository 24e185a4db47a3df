import type { JsonObject } from "@eve/canonical-json";
import { type Change, diffSurfaces } from "@eve/trust-admission";
import { comparisonLines } from "../change-lines.ts";
import { loadRegistry, requireEntry } from "../entry-file.ts";
import { observeEntry, type SpawnOptions } from "../measure-entry.ts";
import { type Outcome, refusedOutcome } from "../outcome.ts";
import { readReviewedSurface } from "../reviewed-surface.ts";
import type { Workspace } from "../workspace.ts";

/**
 * What a server serves now against what its review saw, in each admitted protocol version: each difference graded, most
 * urgent first. It informs whoever reviews; it admits and writes nothing. Answers what an observation can answer.
 */
export async function diff(
  workspace: Workspace,
  id: string,
  options: SpawnOptions,
  caller: NodeJS.ProcessEnv,
): Promise<Outcome> {
  const loaded = loadRegistry(workspace.registry);
  if (!loaded.ok) return refusedOutcome(loaded.refusals);
  const { entry } = requireEntry(loaded.assembled, id);
  const reviewed = entry.protocol.versions.map((version) =>
    readReviewedSurface(workspace.registry, entry, version),
  );
  const observed = await observeEntry(workspace, loaded, entry, options, caller);
  if (!observed.ok) return refusedOutcome(observed.refusals);
  const versions = observed.measured.flatMap(({ surface }) => {
    const before = reviewed.find((one) => one.protocolVersion === surface.protocolVersion);
    return before === undefined ? [] : [{ surface, changes: diffSurfaces(before, surface) }];
  });
  return {
    lines: versions.flatMap(({ surface, changes }) => comparisonLines(id, surface, changes)),
    json: {
      id,
      versions: versions.map(({ surface, changes }) => ({
        version: surface.protocolVersion,
        changes: changes.map(asJson),
      })),
    },
    refusals: [],
  };
}

function asJson(change: Change): JsonObject {
  return { ...change };
}
