import { isJsonArray, isJsonObject, type JsonValue, type Sha256 } from "@eve/canonical-json";
import {
  type Entry,
  entryDigest,
  instantMs,
  parseInstant,
  type Refusal,
  type Registry,
  type RegistryRecord,
} from "@eve/registry-schema";
import { judgeGovernance } from "../admit.ts";

/** What the registry says of one entry at one moment. */
export interface Governed {
  /** Why governance refuses; empty where it does not. */
  readonly refusals: readonly Refusal[];
  /** The complete entry and its digest; undefined where governance has refused its absence or faults. */
  readonly current: { readonly entry: Entry; readonly digest: Sha256 } | undefined;
}

/** An answer of the rungs that holds while the clock is in [from, until), in epoch ms. */
interface Remembered {
  readonly record: RegistryRecord;
  readonly from: number;
  readonly until: number;
  readonly governed: Governed;
}

const NOTHING: readonly Refusal[] = Object.freeze([]);
const remembered = new WeakMap<Registry, Map<string, Remembered>>();

/**
 * Governance of one entry, as {@link judgeGovernance} answers it. An answer without a refusal is remembered for a
 * registry that cannot change, until the clock passes an instant that the registry names: between two of them no
 * comparison of a rung with the clock turns out otherwise. Refusals are always made anew.
 */
export function governed(registry: Registry, integration: string, now: number): Governed {
  const known = remembered.get(registry)?.get(integration);
  if (
    known !== undefined &&
    Number.isSafeInteger(now) && // another clock is for the rungs to refuse
    known.from <= now &&
    now < known.until &&
    registry.integrations.get(integration) === known.record
  )
    return known.governed;
  return judged(registry, integration, now);
}

function judged(registry: Registry, integration: string, now: number): Governed {
  const refusals = judgeGovernance(registry, integration, now);
  const record = registry.integrations.get(integration);
  if (record?.status !== "complete") return { refusals, current: undefined };
  const current = { entry: record.entry, digest: entryDigest(record.raw) };
  if (refusals.length > 0) return { refusals, current };
  const answer: Governed = Object.freeze({ refusals: NOTHING, current });
  if (isUnchangeable(registry, record)) remember(registry, integration, record, now, answer);
  return answer;
}

function remember(
  registry: Registry,
  integration: string,
  record: RegistryRecord & { readonly status: "complete" },
  now: number,
  answer: Governed,
): void {
  const turns = turnsOf(registry, record.raw);
  const own = remembered.get(registry) ?? new Map<string, Remembered>();
  own.set(integration, {
    record,
    from: Math.max(...turns.filter((turn) => turn <= now)),
    until: Math.min(...turns.filter((turn) => turn > now), Number.MAX_SAFE_INTEGER),
    governed: answer,
  });
  remembered.set(registry, own);
}

/** Where a comparison with the clock may turn: each instant, and the millisecond after it. */
function turnsOf(registry: Registry, raw: JsonValue): readonly number[] {
  const instants = [
    ...instantsIn(raw),
    ...registry.dependencyGates.flatMap((gate) =>
      gate.status === "met" ? [instantMs(gate.metAt)] : [],
    ),
    registry.newestObservationMs,
  ];
  return instants.flatMap((at) => [at, at + 1]);
}

function instantsIn(value: JsonValue): readonly number[] {
  if (typeof value === "string") {
    const instant = parseInstant(value);
    return instant === undefined ? [] : [instantMs(instant)];
  }
  if (isJsonArray(value)) return value.flatMap(instantsIn);
  return isJsonObject(value) ? Object.values(value).flatMap(instantsIn) : [];
}

/** A map cannot be frozen, so its record is compared at each call. */
function isUnchangeable(registry: Registry, record: RegistryRecord): boolean {
  return (
    Object.isFrozen(registry) && isDeeplyFrozen(record) && isDeeplyFrozen(registry.dependencyGates)
  );
}

function isDeeplyFrozen(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return true;
  return Object.isFrozen(value) && Object.values(value).every(isDeeplyFrozen);
}
