import type { JsonObject } from "@eve/canonical-json";
import type { RefusalCode } from "@eve/registry-schema";
import { textAt } from "../../json-members.ts";
import type { ItemReading } from "../../step.ts";
import { StepError } from "../../step-error.ts";

/** One publication from preview to replay. */
export interface Publication {
  /** How its steps' ids begin. */
  readonly id: string;
  /** What it is called in a headline. */
  readonly noun: string;
  readonly tool: string;
  /** The arguments beside the item's id. */
  readonly args: JsonObject;
  /** The same with one changed. */
  readonly changedArgs: JsonObject;
  /** The state before and after. */
  readonly from: string;
  readonly to: string;
  /** How often the item made this transition. */
  readonly effects: (item: ItemReading) => number;
}

/** What was asked for and is waiting, or was decided. */
export interface Asked {
  readonly consentId: string;
  readonly digest: string;
  readonly approveUrl: string;
}

/** What the steps of one run hand on: each takes what an earlier one left, and says so where it is missing. */
export interface Story {
  itemId?: string;
  asked?: Asked;
}

/** The item of the run. Throws StepError where the step that makes it did not hold. */
export function requireItem({ itemId }: Story): string {
  if (itemId === undefined)
    throw new StepError("expected a submitted item; that step did not hold");
  return itemId;
}

/** The request for approval. Throws StepError where the step that makes it did not hold. */
export function requireAsked({ asked }: Story): Asked {
  if (asked === undefined)
    throw new StepError("expected a request for approval; that step did not hold");
  return asked;
}

/** Requires a status of a tool's answer; a refusal is told by its code. */
export function requireStatus(answer: JsonObject, status: string): void {
  const found = textAt(answer, "status");
  if (found === status) return;
  const code = found === "refused" ? ` (${textAt(answer, "code")})` : "";
  throw new StepError(`expected the status ${status}; found ${found || "none"}${code}`);
}

/** Requires that an answer refuses with exactly this code. */
export function requireCode(answer: JsonObject, code: RefusalCode): void {
  const found = textAt(answer, "code") || `the status ${textAt(answer, "status") || "none"}`;
  if (found !== code) throw new StepError(`expected ${code}; found ${found}`);
}

/** Requires that the item is in `state` and that `effects` transitions were made. */
export function requireItemState(
  { from, to, effects }: Publication,
  item: ItemReading,
  when: "before" | "after",
): void {
  const [state, count] = when === "before" ? [from, 0] : [to, 1];
  if (item.state !== state || effects(item) !== count)
    throw new StepError(
      `expected the item ${state} with ${count} such transitions; the database holds ${item.state} with ${effects(item)}`,
    );
}
