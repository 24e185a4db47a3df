import type { JsonObject } from "@eve/canonical-json";
import { RISK_CLASSES } from "@eve/registry-schema";
import {
  goodEntry,
  goodSurface,
  goodObservation,
  hintsOf,
  NOW,
  VERSIONS,
  withValue,
} from "@eve/test-kit";
import { annotationsFor } from "@eve/trust-admission";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { annotationsFit, areDerived, contradict } from "../src/annotations.ts";
import { codesOf, goodWorld, refusalsOf, type World } from "./world.ts";

describe("the table", () => {
  it.each([
    ["read", true, false, true, false],
    ["write", false, false, false, false],
    ["publish", false, true, false, true],
    ["destructive", false, true, false, true],
  ] as const)(
    "of %s: readOnly %s, destructive %s, idempotent %s, openWorld %s",
    (riskClass, readOnlyHint, destructiveHint, idempotentHint, openWorldHint) => {
      expect(annotationsFor(riskClass)).toEqual({
        readOnlyHint,
        destructiveHint,
        idempotentHint,
        openWorldHint,
      });
      expect(annotationsFor(riskClass)).toEqual(hintsOf(riskClass));
    },
  );

  it("cannot be changed", () => {
    for (const riskClass of RISK_CLASSES)
      expect(Object.isFrozen(annotationsFor(riskClass))).toBe(true);
  });
});

describe("a first party's annotations", () => {
  it("are exactly those of the class", () => {
    for (const riskClass of RISK_CLASSES) {
      const good: JsonObject = { ...annotationsFor(riskClass) };
      expect(areDerived(good, riskClass)).toBe(true);
      for (const hint of Object.keys(good)) {
        expect(areDerived(withValue(good, [hint], !good[hint]), riskClass)).toBe(false);
        expect(areDerived(withValue(good, [hint], undefined), riskClass)).toBe(false);
        expect(
          areDerived(withValue(good, [hint], good[hint] === true ? "true" : "false"), riskClass),
        ).toBe(false);
      }
      expect(areDerived(withValue(good, ["title"], "Safe"), riskClass)).toBe(false);
      expect(areDerived({}, riskClass)).toBe(false);
    }
  });

  it("may not be a list, a text or null", () => {
    for (const live of [[], "x", null, 0, true])
      expect(annotationsFit("first-party", live, "read")).toBe(false);
    expect(annotationsFit("first-party", undefined, "read")).toBe(false);
  });
});

describe("a third party's hints", () => {
  it.each([
    ["read", { destructiveHint: true }, true],
    ["read", { readOnlyHint: false }, true],
    ["read", { readOnlyHint: true }, false],
    ["read", {}, false],
    ["write", { destructiveHint: true }, true],
    ["write", { readOnlyHint: false }, false],
    ["write", { readOnlyHint: true }, false],
    ["publish", { destructiveHint: true }, false],
    ["publish", { readOnlyHint: true, destructiveHint: false }, false],
    ["destructive", { destructiveHint: true }, false],
    ["destructive", { readOnlyHint: true, destructiveHint: false }, false],
  ] as const)("of class %s with %j contradict it: %s", (riskClass, live, expected) => {
    expect(contradict(live, riskClass)).toBe(expected);
    expect(annotationsFit("third-party", live, riskClass)).toBe(!expected);
  });

  it("that are no object do not fit", () => {
    for (const live of [[], "x", null, 0])
      expect(annotationsFit("third-party", live, "destructive")).toBe(false);
  });
});

/** A world whose server serves these annotations on one tool, and whose entry pins exactly that surface. */
function forged(
  origin: "first-party" | "third-party",
  tool: number,
  annotations: JsonObject | undefined,
): World {
  const surfaces = VERSIONS.map(goodSurface).map((surface) => ({
    ...surface,
    tools: surface.tools.map((each, i) =>
      i === tool ? withValue(each, ["annotations"], annotations) : each,
    ),
  }));
  const [surface] = surfaces;
  if (!surface) throw new TypeError("no surface");
  return {
    ...goodWorld({ origin }),
    entry: goodEntry({ now: NOW, origin, surfaces }),
    observation: goodObservation("2025-11-25", { origin, surface }),
  };
}

describe("forged annotations under a matching pin", () => {
  it("drift where the server is ours: surface.annotation_mismatch (D23)", () => {
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.constantFrom(
            "readOnlyHint",
            "destructiveHint",
            "idempotentHint",
            "openWorldHint",
            "title",
          ),
          fc.boolean(),
        ),
        (annotations) => {
          const isGood = areDerived(annotations, "publish");
          expect(codesOf(refusalsOf(forged("first-party", 3, annotations)))).toEqual(
            isGood ? [] : ["surface.annotation_mismatch"],
          );
        },
      ),
      { numRuns: 60 },
    );
  });

  it("of a publishing third party that says it only reads change nothing: it is admitted as publishing (D23)", () => {
    expect(
      refusalsOf(forged("third-party", 3, { readOnlyHint: true, destructiveHint: false })),
    ).toEqual([]);
    expect(refusalsOf(forged("third-party", 3, undefined))).toEqual([]);
  });

  it("of a third party that admits to more than its class refuse: surface.annotation_mismatch", () => {
    expect(codesOf(refusalsOf(forged("third-party", 0, { destructiveHint: true })))).toEqual([
      "surface.annotation_mismatch",
    ]);
    expect(codesOf(refusalsOf(forged("third-party", 2, { destructiveHint: true })))).toEqual([
      "surface.annotation_mismatch",
    ]);
  });
});
