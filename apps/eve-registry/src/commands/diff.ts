import type { JsonObject } from "@eve/canonical-json";
import { type Change, diffSurfaces } from "@eve/trust-admission";
import { diffWordsWithSpace } from "diff";
import { loadRegistry, requireEntry } from "../entry-file.ts";
import { observeEntry, type SpawnOptions } from "../measure-entry.ts";
import { type Outcome, refusedOutcome } from "../outcome.ts";
import { readReviewedSurface } from "../reviewed-surface.ts";
import type { Workspace } from "../workspace.ts";

/** Longest text of which words are compared; of a longer one both are shown. */
const MAX_WORDS = 20_000;

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
    readReviewedSurface(workspace.registry, entry.review.evidence.path, version),
  );
  const observed = await observeEntry(workspace, loaded, entry, options, caller);
  if (!observed.ok) return refusedOutcome(observed.refusals);
  const versions = observed.measured.flatMap(({ surface }) => {
    const before = reviewed.find((one) => one.protocolVersion === surface.protocolVersion);
    return before === undefined
      ? []
      : [{ version: surface.protocolVersion, changes: diffSurfaces(before, surface) }];
  });
  return {
    lines: versions.flatMap(({ version, changes }) => [
      `${id} in ${version}: ${summary(changes)}`,
      ...changes.flatMap(changeLines),
    ]),
    json: {
      id,
      versions: versions.map(({ version, changes }) => ({ version, changes: changes.map(asJson) })),
    },
    refusals: [],
  };
}

function summary(changes: readonly Change[]): string {
  if (changes.length === 0) return "as reviewed";
  return `${changes.length} ${changes.length === 1 ? "difference" : "differences"} from what was reviewed`;
}

function changeLines({ grade, field, before, after }: Change): readonly string[] {
  const head = `  ${grade.replaceAll("_", " ")}  ${field}`;
  if (before === undefined) return [head, `    + ${after ?? ""}`];
  if (after === undefined) return [head, `    - ${before}`];
  if (before.length + after.length > MAX_WORDS || !before.includes(" "))
    return [head, `    - ${before}`, `    + ${after}`];
  return [head, `    ${wordsOf(before, after)}`];
}

/** One text in which what went stands as [-…-] and what came as {+…+}. */
function wordsOf(before: string, after: string): string {
  return diffWordsWithSpace(before, after)
    .map(({ value, added, removed }) => (added ? `{+${value}+}` : removed ? `[-${value}-]` : value))
    .join("");
}

function asJson(change: Change): JsonObject {
  return { ...change };
}
