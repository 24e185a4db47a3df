import { isJsonObject, type JsonObject, type JsonValue } from "@eve/canonical-json";
import type { Origin, RiskClass } from "@eve/registry-schema";

/** The four hints of an MCP tool. */
export interface ToolAnnotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

const TABLE: Readonly<Record<RiskClass, ToolAnnotations>> = Object.freeze({
  read: Object.freeze({
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  }),
  write: Object.freeze({
    readOnlyHint: false,
    destructiveHint: false,
    idempotentHint: false,
    openWorldHint: false,
  }),
  publish: Object.freeze({
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: false,
    openWorldHint: true,
  }),
  destructive: Object.freeze({
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: false,
    openWorldHint: true,
  }),
});

/** The annotations a first-party tool of this class carries: the one table they are derived from. */
export function annotationsFor(riskClass: RiskClass): ToolAnnotations {
  return TABLE[riskClass];
}

const HINTS = ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"] as const;

/** Whether live annotations are exactly those of the class: first-party tools. */
export function areDerived(live: JsonObject, riskClass: RiskClass): boolean {
  const derived = annotationsFor(riskClass);
  // By index, and counted without a list of them: this runs at every call. An inherited member is one too many.
  for (let at = 0; at < HINTS.length; at++) {
    const hint = HINTS[at];
    if (!hint || !Object.hasOwn(live, hint) || live[hint] !== derived[hint]) return false;
  }
  let members = 0;
  // oxlint-disable-next-line guard-for-in
  for (const _ in live) members++;
  return members === HINTS.length;
}

/** Whether live annotations may stand: those of the class for a first party, no contradiction of it for a third party. */
export function annotationsFit(
  origin: Origin,
  live: JsonValue | undefined,
  riskClass: RiskClass,
): boolean {
  const hints = live === undefined ? {} : live;
  if (!isJsonObject(hints)) return false;
  return origin === "first-party" ? areDerived(hints, riskClass) : !contradict(hints, riskClass);
}

/**
 * Whether a third party's own hints admit to more than the class allows. A milder hint than the class is ignored:
 * live annotations never lower a risk.
 */
export function contradict(live: JsonObject, riskClass: RiskClass): boolean {
  if (riskClass === "destructive") return false;
  return live["destructiveHint"] === true && riskClass !== "publish"
    ? true
    : riskClass === "read" && live["readOnlyHint"] === false;
}
