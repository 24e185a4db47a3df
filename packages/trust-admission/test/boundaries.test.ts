/* oxlint-disable typescript/no-unsafe-type-assertion -- what is handed over here is not what its type says */
import type { JsonObject } from "@eve/canonical-json";
import type { RefusalCode } from "@eve/registry-schema";
import { at, DAY_MS, NOW, sixMonthsAfter, withValue } from "@eve/test-kit";
import { judgeGovernance } from "@eve/trust-admission";
import { describe, expect, it } from "vitest";
import { codesOf, goodWorld, refusalsOf, registryOf, withEntry, type World } from "./world.ts";

interface DatedPart {
  readonly part: "health" | "evaluation" | "review";
  readonly observed: string;
  /** The latest expiry of an observation at this moment. */
  readonly limit: (ms: number) => number;
}

const PARTS: readonly DatedPart[] = [
  { part: "health", observed: "observedAt", limit: (ms) => ms + 30 * DAY_MS },
  { part: "evaluation", observed: "observedAt", limit: (ms) => Date.parse(sixMonthsAfter(ms)) },
  { part: "review", observed: "reviewedAt", limit: (ms) => Date.parse(sixMonthsAfter(ms)) },
];
const STEPS = [-1, 0, 1];
const isAnswered = (world: World, code: RefusalCode): boolean =>
  codesOf(refusalsOf(world)).includes(code);

describe.each(PARTS)("$part at −1, 0 and +1 ms", ({ part, observed, limit }) => {
  it(`is refused from the moment it expires: ${part}.expired (RT-14)`, () => {
    const answers = STEPS.map((step) =>
      isAnswered(withEntry(goodWorld(), [part, "expiresAt"], at(NOW + step)), `${part}.expired`),
    );
    expect(answers).toEqual([true, true, false]);
  });

  it(`is refused while it lies in the future: ${part}.future`, () => {
    const answers = STEPS.map((step) =>
      isAnswered(withEntry(goodWorld(), [part, observed], at(NOW + step)), `${part}.future`),
    );
    expect(answers).toEqual([false, false, true]);
  });

  it(`is accepted for exactly its window, and refused beyond: ${part}.window_exceeded`, () => {
    const from = NOW - DAY_MS;
    const answers = STEPS.map((step) => {
      const entry = withValue(
        withValue(goodWorld().entry, [part, observed], at(from)),
        [part, "expiresAt"],
        at(limit(from) + step),
      );
      return refusalsOf({ ...goodWorld(), entry }).map(({ code }) => code);
    });
    expect(answers).toEqual([[], [], [`${part}.window_exceeded`]]);
  });

  it("is decided by the clock that is passed in, also years from now (RT-19)", () => {
    for (const years of [1, 10, 100, 250_000])
      expect(
        isAnswered({ ...goodWorld(), now: NOW + years * 366 * DAY_MS }, `${part}.expired`),
      ).toBe(true);
  });
});

describe("the whole of a good entry", () => {
  const end = Date.parse("2026-12-31T11:00:00Z");
  it.each([
    [end - 1, []],
    [end, ["health.expired"]],
    [NOW, []],
    [NOW - 3_600_000, []],
    [NOW - 3_600_001, ["health.future", "evaluation.future", "review.future", "clock.behind"]],
  ])("at %i ms answers %j", (now, expected) => {
    expect(codesOf(judgeGovernance(registryOf(goodWorld()), "notes", now))).toEqual(expected);
  });

  it("expires its evaluation and review after six calendar months to the millisecond", () => {
    const later: JsonObject = withValue(
      withValue(goodWorld().entry, ["health", "observedAt"], "2027-05-31T00:00:00Z"),
      ["health", "expiresAt"],
      "2027-06-30T00:00:00Z",
    );
    const world = { ...goodWorld(), entry: later };
    const six = Date.parse("2027-06-01T11:00:00Z");
    expect(codesOf(refusalsOf({ ...world, now: six - 1 }))).toEqual([]);
    expect(codesOf(refusalsOf({ ...world, now: six }))).toEqual([
      "evaluation.expired",
      "review.expired",
    ]);
  });
});

describe("the clock against the registry", () => {
  it("is refused while it is behind any entry's newest date: clock.behind", () => {
    const answers = STEPS.map((step) =>
      codesOf(refusalsOf(withEntry(goodWorld(), ["lifecycle", "since"], at(NOW + step)))),
    );
    expect(answers).toEqual([[], [], ["clock.behind"]]);
  });

  it.each([
    ["NaN", Number.NaN],
    ["Infinity", Number.POSITIVE_INFINITY],
    ["-Infinity", Number.NEGATIVE_INFINITY],
    ["a negative number", -1],
    ["zero", 0],
    ["a fraction", NOW + 0.5],
    ["more than a double counts", 2 ** 53],
    ["a bigint", BigInt(NOW) as unknown as number],
    ["a text", String(NOW) as unknown as number],
    ["a date", new Date(NOW) as unknown as number],
    ["nothing", undefined as unknown as number],
    ["null", null as unknown as number],
  ])("that is %s is refused", (_title, now) => {
    const refusals = refusalsOf({ ...goodWorld(), now });
    expect(refusals.length).toBeGreaterThan(0);
    expect(codesOf(judgeGovernance(registryOf(goodWorld()), "notes", now)).length).toBeGreaterThan(
      0,
    );
  });
});
