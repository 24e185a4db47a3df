import type { JsonObject } from "@eve/canonical-json";
import type { StepResult } from "./step.ts";

/** Whether every one of `expected` steps ran and held. */
export function allHeld(results: readonly StepResult[], expected: number): boolean {
  return results.length === expected && results.every(({ ok }) => ok);
}

/** The last line for people: all held, or which step did not. */
export function verdictLine(results: readonly StepResult[], expected: number): string {
  if (allHeld(results, expected)) return `All ${expected} steps held.`;
  const failed = results.flatMap(({ ok }, index) => (ok ? [] : [index]));
  const names = failed.map((index) => `${index + 1} (${results[index]?.id ?? ""})`).join(", ");
  const skipped = expected - results.length;
  return `Failed: ${plural(failed.length, "step")} ${names}.${skipped > 0 ? ` ${skipped} further ${plural(skipped, "step")} did not run.` : ""}`;
}

function plural(count: number, word: string): string {
  return count === 1 ? word : `${word}s`;
}

/** The whole run as one JSON value. */
export function summaryOf(results: readonly StepResult[], expected: number): JsonObject {
  return { ok: allHeld(results, expected), expected, steps: results.map(stepSummary) };
}

function stepSummary(result: StepResult): JsonObject {
  if (!result.ok) return { id: result.id, ok: false, doing: result.doing, why: result.why };
  const { headline, tools, refusals, item } = result.shown;
  return {
    id: result.id,
    ok: true,
    headline,
    ...(tools && { tools: tools.map((tool) => ({ ...tool })) }),
    ...(refusals && {
      refusals: refusals.map(({ when, refusal }) => ({
        ...refusal,
        ...(when !== undefined && { when }),
      })),
    }),
    ...(item && { item: { ...item } }),
  };
}
