import {
  entryDigest,
  type Entry,
  isRefused,
  type Refusal,
  type Refusals,
  type Registry,
} from "@eve/registry-schema";
import { type Admission, makeAdmission } from "./admission.ts";
import { climb, findEntry, internalError } from "./ladder.ts";
import type { Observation, Standing } from "./observation.ts";
import { surfacePins } from "./pins.ts";
import { GOVERNANCE_RUNGS } from "./rungs/governance.ts";
import { protocol } from "./rungs/protocol.ts";
import { STANDING_RUNGS } from "./rungs/standing.ts";
import { SURFACE_RUNGS } from "./rungs/surface.ts";

/** Admitted with the proof, or refused with every cause in rung order. */
export type Verdict =
  | { readonly admitted: true; readonly admission: Admission }
  | { readonly admitted: false; readonly refusals: Refusals };

/**
 * Decides whether a server is exactly what its entry reviewed (ADR-0092, default deny). Pure and total: never throws.
 * Rungs in order: presence → complete → kind → lifecycle → dependency gates → health → evaluation → review → clock →
 * provenance, source, artifact, version → transport → protocol → measured surface → tool set → input schemas → descriptions →
 * definitions, annotations → instructions → capabilities → prompts → resources → schemas → text → links → client.
 * `now` is epoch ms. No rung grants: only an empty list of refusals admits.
 */
export function admit(registry: Registry, observation: Observation, now: number): Verdict {
  try {
    return decide(registry, observation, now);
  } catch (error) {
    return { admitted: false, refusals: [internalError(null, "admit", error)] };
  }
}

/** Decides what can be decided before a client speaks: all rungs before protocol. Empty means: go on and measure. */
export function judgeStanding(
  registry: Registry,
  standing: Standing,
  now: number,
): readonly Refusal[] {
  return guarded("judgeStanding", () => {
    const found = findEntry(registry, standing.integration);
    if ("refusals" in found) return found.refusals;
    return standingRefusals(registry, found.entry, standing, now);
  });
}

/** Decides what the registry and the clock alone say: presence to clock. Empty means: nothing stands against it. */
export function judgeGovernance(
  registry: Registry,
  integration: string,
  now: number,
): readonly Refusal[] {
  return guarded("judgeGovernance", () => {
    const found = findEntry(registry, integration);
    return "refusals" in found
      ? found.refusals
      : climb(GOVERNANCE_RUNGS, { registry, entry: found.entry, now }, found.entry);
  });
}

function decide(registry: Registry, observation: Observation, now: number): Verdict {
  const found = findEntry(registry, observation.integration);
  if ("refusals" in found) return refuse(found.refusals);
  const { entry } = found;
  const before = standingRefusals(registry, entry, observation, now);
  const surfaceCase = {
    registry,
    entry,
    observation,
    now,
    pins: surfacePins(observation.surface.value),
  };
  const unadmitted = climb([protocol], surfaceCase, entry);
  const after = unadmitted.length > 0 ? unadmitted : climb(SURFACE_RUNGS, surfaceCase, entry);
  const refusals = [...before, ...after];
  return isRefused(refusals)
    ? { admitted: false, refusals }
    : { admitted: true, admission: admissionOf(registry, entry, observation) };
}

function standingRefusals(
  registry: Registry,
  entry: Entry,
  observation: Standing,
  now: number,
): readonly Refusal[] {
  return [
    ...climb(GOVERNANCE_RUNGS, { registry, entry, now }, entry),
    ...climb(STANDING_RUNGS, { registry, entry, observation, now }, entry),
  ];
}

function admissionOf(registry: Registry, entry: Entry, observation: Observation): Admission {
  const record = registry.integrations.get(entry.id);
  if (record?.status !== "complete") throw new TypeError("an admitted entry has a record");
  const parts = ["source", "version", "transport", "surface"] as const;
  const { tools: definitions } = observation.surface.value;
  return makeAdmission(
    {
      integration: entry.id,
      protocolVersion: observation.surface.value.protocolVersion,
      entryDigest: entryDigest(record.raw),
      transport: entry.transport, // equal to the observed one, and frozen
      tools: new Map(entry.tools.map((tool) => [tool.name, tool])),
      measured: parts.filter((part) => observation[part].how === "measured"),
      attested: parts.filter((part) => observation[part].how === "attested"),
    },
    definitions,
  );
}

function refuse(refusals: readonly Refusal[]): Verdict {
  if (!isRefused(refusals)) throw new TypeError("a missing entry has a refusal");
  return { admitted: false, refusals };
}

function guarded(name: string, judge: () => readonly Refusal[]): readonly Refusal[] {
  try {
    return judge();
  } catch (error) {
    return [internalError(null, name, error)];
  }
}
