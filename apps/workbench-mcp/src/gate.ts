import {
  type Entry,
  type Refusal,
  type Refusals,
  type RegistryResult,
  isRefused,
  refusal,
} from "@eve/registry-schema";
import { type Admission, type Standing, admit, judgeStanding } from "@eve/trust-admission";
import { type Settings, judgeCredential } from "./credential.ts";
import { INTEGRATION } from "./identity.ts";
import { measureSurface } from "./measure-surface.ts";
import type { Era } from "./protocol-era.ts";
import { riskClassesOf } from "./risk-classes.ts";
import { type RuntimeFacts, judgeRuntime } from "./runtime.ts";
import type { RiskClasses } from "./server-factory.ts";
import type { ToolDefinition } from "./tools/definition.ts";

/** What is known before a client speaks. */
export interface StartFacts {
  readonly runtime: RuntimeFacts;
  readonly registry: RegistryResult;
  readonly standing: Standing;
  readonly settings: Settings;
  /** Epoch ms. */
  readonly now: number;
}

/** What a client's opening adds: the era it speaks, and the definitions it would be shown. */
export interface OpeningFacts extends StartFacts {
  readonly era: Era;
  readonly tools: readonly ToolDefinition[];
}

/** Leave to serve one era. */
export interface Opened {
  readonly admission: Admission;
  readonly riskClasses: RiskClasses;
}

/**
 * Decides at start, client or not, in DESIGN's order: runtime → registry → governance → artifact and source →
 * configuration and credential. Empty: go on to the surface. All refusals are answered, first one first.
 */
export function judgeStart({
  runtime,
  registry,
  standing,
  settings,
  now,
}: StartFacts): readonly Refusal[] {
  const unsafe = judgeRuntime(runtime);
  if (!registry.ok) return [...unsafe, ...registry.refusals];
  const entry = entryOf(registry);
  return [
    ...unsafe,
    ...judgeStanding(registry.registry, standing, now),
    ...(entry ? judgeCredential(entry, settings) : []),
  ];
}

/**
 * Decides when a client opens: all of `judgeStart` again, for time has passed and the file may have changed, then the
 * surface measured in the client's era. Answers an admission, which only `admit` can make, or refusals.
 */
export async function admitOpening(facts: OpeningFacts): Promise<Opened | Refusals> {
  const refusals = judgeStart(facts);
  if (isRefused(refusals)) return refusals;
  const entry = entryOf(facts.registry);
  if (!facts.registry.ok || entry === undefined) return [undecided()];
  const riskClasses = riskClassesOf(entry);
  const observed = await measureSurface({ tools: facts.tools, riskClasses }, facts.era);
  if (!observed.ok) return observed.refusals;
  const verdict = admit(
    facts.registry.registry,
    {
      ...facts.standing,
      client: { capabilities: {} },
      surface: { how: "measured", value: observed.surface },
    },
    facts.now,
  );
  return verdict.admitted ? { admission: verdict.admission, riskClasses } : verdict.refusals;
}

function entryOf(registry: RegistryResult): Entry | undefined {
  const record = registry.ok ? registry.registry.integrations.get(INTEGRATION) : undefined;
  return record?.status === "complete" ? record.entry : undefined;
}

/** A gate that cannot decide refuses. */
function undecided(): Refusal {
  return refusal("internal.error", {
    integration: INTEGRATION,
    subject: "gate",
    expected: "a decision",
    actual: "none",
  });
}
