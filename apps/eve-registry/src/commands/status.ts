import { type Entry, instantMs } from "@eve/registry-schema";
import { judgeGovernance } from "@eve/trust-admission";
import { loadRegistry } from "../entry-file.ts";
import { type Outcome, refusedOutcome } from "../outcome.ts";
import type { Workspace } from "../workspace.ts";

const DAY_MS = 86_400_000;

/** How old the entries are: what each rests on, the days it has left, and what stands against it now. Runs nothing. */
export function status({ registry: folder }: Workspace, now: number): Outcome {
  const loaded = loadRegistry(folder);
  if (!loaded.ok) return refusedOutcome(loaded.refusals);
  const { registry } = loaded.assembled;
  const entries = [...registry.integrations.values()].flatMap((record) =>
    record.status === "complete" ? [record.entry] : [],
  );
  const refusals = entries.flatMap(({ id }) => judgeGovernance(registry, id, now));
  const reports = entries.map((entry) => ({
    id: entry.id,
    deployment: entry.deployment,
    lifecycle: entry.lifecycle.state,
    daysLeft: daysLeft(entry, now),
    stands: judgeGovernance(registry, entry.id, now).length === 0,
  }));
  const unmet = registry.dependencyGates.filter((gate) => gate.status === "unmet");
  return {
    lines: [
      `registry: sequence ${registry.sequence}, ${entries.length} ${entries.length === 1 ? "entry" : "entries"}`,
      ...reports.map(
        ({ id, deployment, lifecycle, daysLeft: left, stands }) =>
          `${stands ? "✓" : "✗"} ${id}: ${deployment}, ${lifecycle}; days left: health ${left.health}, evaluation ${left.evaluation}, review ${left.review}`,
      ),
      unmet.length === 0
        ? "third parties: all dependency gates are met"
        : `third parties: refused until gates ${unmet.map(({ task, subject }) => `${task} ${subject}`).join(", ")} are met`,
    ],
    json: {
      sequence: registry.sequence,
      entries: reports,
      unmetGates: unmet.map(({ task }) => task),
    },
    refusals,
  };
}

/** Whole days until each part expires, rounded down; negative once it has. */
function daysLeft(
  { health, evaluation, review }: Entry,
  now: number,
): { readonly health: number; readonly evaluation: number; readonly review: number } {
  const [left, evaluated, reviewed] = [health, evaluation, review].map(({ expiresAt }) =>
    Math.floor((instantMs(expiresAt) - now) / DAY_MS),
  );
  return { health: left ?? 0, evaluation: evaluated ?? 0, review: reviewed ?? 0 };
}
