import { describe, expect, it } from "vitest";
import type { StepResult } from "../src/step.ts";
import { allHeld, summaryOf, verdictLine } from "../src/summary.ts";

const refusal = {
  code: "entry.absent",
  title: "No entry admits this integration",
  remedy: "Ask for one.",
} as const;
const held: StepResult = {
  id: "held",
  ok: true,
  shown: {
    headline: "Refused",
    tools: [{ name: "get", riskClass: "read" }],
    refusals: [{ when: "now", refusal }],
    item: { state: "shipped", version: 4, shipments: 1, verdicts: 0 },
  },
};
const failed: StepResult = { id: "failed", ok: false, doing: "Doing it", why: "expected a" };

describe("allHeld", () => {
  it.each([
    ["all ran and held", [held, held], true],
    ["one did not hold", [held, failed], false],
    ["one did not run", [held], false],
    ["none ran", [], false],
  ])("where %s: %s", (_, results, expected) => {
    expect(allHeld(results, 2)).toBe(expected);
  });
});

describe("verdictLine", () => {
  it("says that all held", () => {
    expect(verdictLine([held, held], 2)).toBe("All 2 steps held.");
  });

  it("says which did not hold and how many did not run", () => {
    expect(verdictLine([held, failed], 3)).toBe(
      "Failed: step 2 (failed). 1 further step did not run.",
    );
    expect(verdictLine([failed, held, failed], 3)).toBe("Failed: steps 1 (failed), 3 (failed).");
  });
});

describe("summaryOf", () => {
  it("is one JSON value with every step, its tools and refusals, and what failed", () => {
    expect(JSON.parse(JSON.stringify(summaryOf([held, failed], 2)))).toEqual({
      ok: false,
      expected: 2,
      steps: [
        {
          id: "held",
          ok: true,
          headline: "Refused",
          tools: [{ name: "get", riskClass: "read" }],
          refusals: [{ ...refusal, when: "now" }],
          item: { state: "shipped", version: 4, shipments: 1, verdicts: 0 },
        },
        { id: "failed", ok: false, doing: "Doing it", why: "expected a" },
      ],
    });
  });
});
