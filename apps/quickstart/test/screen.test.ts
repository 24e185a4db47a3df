import { describe, expect, it } from "vitest";
import { createScreen, type ScreenTraits } from "../src/screen.ts";
import type { StepResult } from "../src/step.ts";

const ESCAPE = "\u001B";
const refusal = {
  code: "entry.absent",
  title: "No entry admits this integration",
  remedy: "Ask for one.",
} as const;
const held: StepResult = {
  id: "one",
  ok: true,
  shown: {
    headline: "Refused: a server",
    tools: [
      { name: "get", riskClass: "read" },
      { name: "list", riskClass: "read" },
      { name: "ship", riskClass: "publish" },
    ],
    refusals: [{ refusal }, { when: "once more", refusal }],
  },
};

function shown(traits: Partial<ScreenTraits>, ...results: readonly StepResult[]): string {
  let text = "";
  const screen = createScreen({
    isTerminal: false,
    hasColour: false,
    ...traits,
    write: (more) => (text += more),
  });
  for (const result of results) {
    screen.begin("Doing it");
    screen.end(result);
  }
  return text;
}

describe("createScreen", () => {
  it("shows a step's headline, its tools by class, and each refusal's code, title and remedy", () => {
    expect(shown({}, held).split("\n")).toEqual([
      "✓ 1  Refused: a server",
      "     read     get, list",
      "     publish  ship",
      "     entry.absent  No entry admits this integration.",
      "     → Ask for one.",
      "     Refused: once more",
      "     entry.absent  No entry admits this integration.",
      "     → Ask for one.",
      "",
    ]);
  });

  it("shows the item as the database holds it, last", () => {
    const item = { state: "shipped", version: 4, shipments: 1, verdicts: 0 };
    const step: StepResult = { id: "one", ok: true, shown: { headline: "Executed once", item } };
    expect(shown({}, step).split("\n").at(-2)).toBe(
      "     In the database: shipped, version 4; shipped once, verified 0 times",
    );
  });

  it("numbers the steps, and says why one did not hold", () => {
    const failed: StepResult = {
      id: "two",
      ok: false,
      doing: "Doing it",
      why: "expected a\nfound b",
    };
    expect(shown({}, held, failed)).toMatch(/\n✗ 2 {2}Doing it\n {5}expected a\n {5}found b\n$/);
  });

  it("writes no escape and no progress where it is no terminal", () => {
    expect(shown({}, held)).not.toContain(ESCAPE);
    expect(shown({}, held)).not.toContain("Doing it");
  });

  it("shows on a terminal what runs now, and puts the result in its place", () => {
    expect(shown({ isTerminal: true }, held)).toContain(`… Doing it\r${ESCAPE}[2K✓ 1`);
  });

  it("colours only where it may", () => {
    expect(shown({ isTerminal: true, hasColour: true }, held)).toContain(
      `${ESCAPE}[32m✓${ESCAPE}[0m`,
    );
    expect(shown({ isTerminal: true }, held)).not.toContain(`${ESCAPE}[32m`);
  });
});
