import type { JsonObject } from "@eve/canonical-json";
import { formatInstant } from "@eve/registry-schema";
import type { Step } from "../step.ts";
import type { Admitted } from "./admit-workbench.ts";
import { refusedCopy } from "./refused-copy.ts";
import { objectAt } from "../json-members.ts";

const SECOND_MS = 1_000;
const DAY_MS = 86_400 * SECOND_MS;

/** The entry's health observation has just expired. */
export const expired: Step<Admitted> = refusedCopy({
  id: "expired",
  doing: "Letting the health observation expire",
  headline: "Refused, exit 78: the health observation expired one second ago",
  code: "health.expired",
  entry: withExpiredHealth,
});

/** The entry observed healthy a day before `now` (epoch ms), until a second before it. */
export function withExpiredHealth(entry: JsonObject, now: number): JsonObject {
  const health = {
    ...objectAt(entry, "health"),
    observedAt: formatInstant(now - DAY_MS),
    expiresAt: formatInstant(now - SECOND_MS),
  };
  return { ...entry, health };
}
