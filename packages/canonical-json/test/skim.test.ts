import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { propertyRuns } from "@eve/config/property-runs";
import { missingNote, runsAgainst, sharedFolder } from "@eve/config/shared-folder";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseJson } from "../src/index.ts";
import { scanDocument } from "../src/scan-document.ts";
import type { Scan } from "../src/scan.ts";
import { skim, type SkimRules } from "../src/skim.ts";
import { jsonText } from "./json-texts.ts";
import { accepted, utf8, verdict } from "./kit.ts";

const WIRE: SkimRules = { maxDepth: 64, maxValues: Infinity, registry: false };
const REGISTRY: SkimRules = { ...WIRE, registry: true };

/** What the exact scan alone says of a text. */
function exactVerdict(text: string, rules: SkimRules): string {
  const scan: Scan = {
    bytes: utf8(text),
    text,
    ...rules,
    shift: 0,
    values: 0,
    escaped: false,
    fault: undefined,
  };
  return scanDocument(scan) ? "accepted" : (scan.fault?.code ?? "no fault");
}

/** A list that holds empty lists: `count` values in all. */
const listOf = (count: number): string =>
  `[${Array.from({ length: count - 1 }, () => "0").join(",")}]`;
const object = (count: number): string =>
  `{${Array.from({ length: count }, (_, n) => `"k${n}":0`).join(",")}}`;

/** Objects of 64 names inside each other, so many levels, about an innermost value. */
const inside = (levels: number, innermost: string): string =>
  `${`${object(63).slice(0, -1)},"k63":`.repeat(levels)}${innermost}${"}".repeat(levels)}`;

describe("a skim is sure of", () => {
  it.each([
    ["plain members", '{"a":1,"b":[true,null,"x"],"c":{"a":{},"b":[]}}'],
    ["one name in two objects", '[{"a":1},{"a":{"a":2}}]'],
    ["names after a nested object", '{"a":{"b":1},"c":{"b":1}}'],
    ["escapes in a string that spell no surrogate", String.raw`["\u1061\n\"\\\u2028"]`],
    ["the largest integer below 2^53", "[9007199254740991,-9007199254740991]"],
    ["short fractions", "[0.5,-12.25]"],
    ["64 names of one object", object(64)],
    ["64 arrays in each other", `${"[".repeat(64)}${"]".repeat(64)}`],
    ["white space", ' {\n"a" :\t1 , "b" : [ ] }\r\n'],
  ])("%s, on the wire and in a registry", (_title, text) => {
    expect([skim(utf8(text), WIRE), skim(utf8(text), REGISTRY)]).toEqual([true, true]);
  });
});

describe("a skim is not sure of", () => {
  it.each([
    ["a name used twice", '{"a":1,"a":1}'],
    ["a name used twice around a nested object", '{"a":{"b":1},"a":1}'],
    ["a name used twice after an empty object", '{"a":{},"a":1}'],
    ["a name used twice after a list", '{"a":["a",[1]],"a":1}'],
    ["a name of another object's hash", '{"ku988":1,"k1ah86":1}'],
    ["a name with an escape", String.raw`{"\u0061":1}`],
    ["__proto__", '{"__proto__":1}'],
    ["65 names of one object", object(65)],
    ["a surrogate escape", String.raw`["\ud83d\ude00"]`],
    ["a surrogate escape in capitals", String.raw`["\uDFFF"]`],
    ["a surrogate escape after an escaped backslash", String.raw`["\\\ud800"]`],
    ["2^53", "[9007199254740992]"],
    ["2^53 + 1", "[9007199254740993]"],
    ["-(2^53) - 1", "[-9007199254740993]"],
    ["400 digits", "9".repeat(400)],
    ["an exponent", "[1e5]"],
    ["an exponent in capitals after a fraction", "[1.5E5]"],
    ["a fraction that rounds to zero", `0.${"0".repeat(400)}1`],
    ["65 arrays in each other", `${"[".repeat(65)}${"]".repeat(65)}`],
    ["a string that does not end", '["a'],
    ["a name that does not end", '{"a'],
    ["a bracket too many", "[]]"],
  ])("%s, on the wire and in a registry", (_title, text) => {
    expect([skim(utf8(text), WIRE), skim(utf8(text), REGISTRY)]).toEqual([false, false]);
  });

  it.each([
    ["constructor", '{"constructor":1}'],
    ["prototype", '{"a":{"prototype":1}}'],
    ["U+0000 in a string", String.raw`["a\u0000"]`],
    ["-0", "[-0]"],
    ["-0.0", "[-0.0]"],
  ])("%s in a registry, and is on the wire", (_title, text) => {
    expect([skim(utf8(text), WIRE), skim(utf8(text), REGISTRY)]).toEqual([true, false]);
  });

  it("more values than the rules allow, and counts no fewer than there are", () => {
    expect(skim(utf8(listOf(100)), { ...WIRE, maxValues: 99 })).toBe(false);
    expect(skim(utf8("[[],[[]],{}]"), { ...WIRE, maxValues: 4 })).toBe(false);
    expect(skim(utf8(listOf(100)), { ...WIRE, maxValues: 101 })).toBe(true);
  });

  it("a name for which its list has no room: unsafe_key", () => {
    const rules = { ...WIRE, maxDepth: 1024 };
    expect(skim(utf8(inside(64, "[0]")), rules)).toBe(true);
    expect(skim(utf8(inside(64, '{"a":0}')), rules)).toBe(false);
    expect(verdict(inside(64, '{"a":0}'), { limits: rules })).toBe("accepted");
    expect(verdict(inside(64, '{"__proto__":0}'), { limits: rules })).toBe("unsafe_key");
  });

  it("anything under limits that are no numbers", () => {
    expect(skim(utf8("[]"), { ...WIRE, maxDepth: Number.NaN })).toBe(false);
    expect(skim(utf8("1"), { ...WIRE, maxValues: Number.NaN })).toBe(false);
  });
});

describe("what the skim leaves to the exact scan", () => {
  it("is accepted where only a hash was equal", () => {
    expect(accepted('{"ku988":1,"k1ah86":2}')).toEqual({ ku988: 1, k1ah86: 2 });
  });

  it("is accepted up to the last value that the limit allows: too_large", () => {
    expect(verdict(listOf(100), { limits: { maxValues: 100 } })).toBe("accepted");
    expect(verdict(listOf(100), { limits: { maxValues: 99 } })).toBe("too_large");
    expect(verdict("[[],[[]],{}]", { limits: { maxValues: 5 } })).toBe("accepted");
    expect(verdict("[[],[[]],{}]", { limits: { maxValues: 4 } })).toBe("too_large");
  });
});

/** One byte of a text set, taken out or put in: most texts lose their grammar, some their meaning. */
const edit = fc.record({
  at: fc.nat(),
  kind: fc.constantFrom("set", "delete", "insert"),
  letter: fc.constantFrom(...'"\\{}[],:0189-.eEudaA_ \n\u0000'.split("")),
});

describe("with the skim or without it", () => {
  it.each([
    ["wire", WIRE],
    ["registry", REGISTRY],
  ] as const)("any grammatical text has one verdict under the %s rules", (profile, rules) => {
    const seen = { sure: 0, refused: 0 };
    fc.assert(
      fc.property(jsonText, (text) => {
        const exact = exactVerdict(text, rules);
        expect(verdict(text, { profile })).toBe(exact);
        if (exact !== "accepted") seen.refused++;
        if (!skim(utf8(text), rules)) return;
        seen.sure++;
        expect(exact).toBe("accepted");
      }),
      { numRuns: propertyRuns(1000) },
    );
    expect(Math.min(seen.sure, seen.refused)).toBeGreaterThan(50);
  });

  it("any text with one edit has one verdict", () => {
    fc.assert(
      fc.property(jsonText, edit, (text, { at, kind, letter }) => {
        const cut = at % (text.length + 1);
        const rest = text.slice(kind === "insert" ? cut : cut + 1);
        const edited = `${text.slice(0, cut)}${kind === "delete" ? "" : letter}${rest}`;
        if (!edited.isWellFormed()) return;
        for (const registry of [false, true])
          expect(verdict(edited, { profile: registry ? "registry" : "wire" })).toBe(
            exactVerdict(edited, { ...WIRE, registry }),
          );
      }),
      { numRuns: propertyRuns(1000) },
    );
  });

  it("a depth and a number of values have one bound each", () => {
    fc.assert(
      fc.property(
        jsonText,
        fc.nat({ max: 5 }),
        fc.nat({ max: 20 }),
        (text, maxDepth, maxValues) => {
          const result = parseJson(utf8(text), { limits: { maxDepth, maxValues } });
          expect(result.ok ? "accepted" : result.fault.code).toBe(
            exactVerdict(text, { maxDepth, maxValues, registry: false }),
          );
        },
      ),
      { numRuns: propertyRuns(1000) },
    );
  });
});

const folder = sharedFolder("fixtures", "surfaces");

// Not part of the repository: where the folder is missing the title says so, and under CI that is a failure.
describe.runIf(runsAgainst(folder))(`recorded tool listings${missingNote(folder)}`, () => {
  it("are all sure at first sight, so that none is read twice", () => {
    const lines = readdirSync(folder)
      .filter((file) => file.endsWith(".jsonl"))
      .flatMap((file) => readFileSync(join(folder, file), "utf8").split("\n"))
      .filter((line) => line !== "");
    expect(lines.length).toBeGreaterThan(40);
    expect(lines.filter((line) => !skim(utf8(line), WIRE))).toEqual([]);
  });
});
