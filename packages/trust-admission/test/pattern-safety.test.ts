import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { patternFault } from "../src/schema/pattern-safety.ts";

describe("a pattern that takes exponential time", () => {
  it.each([
    "(a+)+$",
    "^(a+)+$",
    "(a*)*b",
    "(a|a)*b",
    "(a|ab)*(b|c)*(bc|c)*d{2,}(x+x+)+y",
    "^(\\w+\\s?)*$",
    "^(([a-z])+.)+[A-Z]([a-z])+$",
    "(.*)*=",
    "(\\s*,\\s*)*;",
    "(?:a+){2,}$",
    "(?=(a+)+$)a",
    "^(?:[\\w.]+)+@",
    "([^a]|b)*c",
    "(\\p{L}+|\\p{Lu})*1",
    "((ab)+)+c",
    "^(\\d|\\w)*!$",
  ])("is told: %s", (pattern) => {
    expect(patternFault(pattern)).toBe("a pattern that takes exponential time");
  });
});

describe("a pattern that does not", () => {
  it.each([
    "^[a-zA-Z0-9]+$",
    "^I?\\d+[:|-]\\d+(?:;\\d+[:|-]\\d+)*$",
    "^[a-zA-Z0-9_.-]+\\.(png|svg|gif)$",
    "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$",
    "^(?!\\.)(?!.*\\.\\.)([A-Za-z0-9_'+\\-\\.]*)[A-Za-z0-9_+-]@([A-Za-z0-9][A-Za-z0-9\\-]*\\.)+[A-Za-z]{2,}$",
    '^https?://[^\\s"<>\\\\]{1,2000}$',
    "^[a-z][a-z0-9_]*(\\.[a-z][a-z0-9_]*)+$",
    "^(a|b)*$",
    "^.*a.*b.*$",
    "(a+){0}b",
    "",
    "^$",
  ])("is let be: %s", (pattern) => {
    expect(patternFault(pattern)).toBeUndefined();
  });
});

describe("a pattern that is not judged", () => {
  it.each([
    ["is no regular expression", "(", "a pattern that is no regular expression"],
    ["is no regular expression", "*", "a pattern that is no regular expression"],
    ["refers back", "(a)\\1", "a pattern with a back reference, which is not judged"],
    ["is long", "a".repeat(1_001), "a pattern of 1001 characters"],
    ["has many places", "ab?".repeat(160), "a pattern of more than 300 positions"],
    ["is dense", `(?:${"a?".repeat(70)})*`, "a pattern that takes exponential time"],
    ["is denser", `(?:${"a?".repeat(150)})*`, "a pattern of more than 10000 steps"],
    [
      "is dense within many loops",
      `${"(?:".repeat(100)}${"a?".repeat(150)}${")*".repeat(100)}`,
      "a pattern of more than 10000 steps",
    ],
    [
      "has many letters in one loop",
      `(?:${Array.from({ length: 290 }, (_, n) => String.fromCharCode(0x4e00 + n)).join("|")})*`,
      "a pattern of more than 10000 steps",
    ],
    [
      "doubles what matches nothing",
      `${"(?:".repeat(60)}${"){2}".repeat(60)}`,
      "a pattern of more than 5000 elements",
    ],
    [
      "doubles what only looks",
      `${"(?:".repeat(60)}^${"){2}".repeat(60)}`,
      "a pattern of more than 5000 elements",
    ],
  ])("because it %s: %s", (_, pattern, fault) => {
    expect(patternFault(pattern)).toBe(fault);
  });

  it("is still judged at 1,000 characters", () => {
    expect(patternFault(`^[${"a".repeat(997)}]`)).toBeUndefined();
  });
});

describe("patternFault", () => {
  it("answers every text in bounded time, and never throws", () => {
    const piece = fc.constantFrom(
      "a",
      "b",
      ".",
      "\\d",
      "[ab]",
      "(a|b)",
      "(",
      ")",
      "*",
      "+",
      "?",
      "|",
      "{2,}",
      "(?:",
      "[^a]",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const fault = patternFault(pieces.join(""));
        expect(["string", "undefined"]).toContain(typeof fault);
      }),
    );
  });

  it("lets no pattern through that a backtracking matcher takes ever longer for", () => {
    const atom = fc.constantFrom("a", "b", "[ab]");
    const { pattern } = fc.letrec<{ pattern: string }>((tie) => ({
      pattern: fc.oneof(
        { depthSize: "small", withCrossShrink: true },
        atom,
        fc.tuple(tie("pattern"), tie("pattern")).map(([a, b]) => `${a}${b}`),
        fc.tuple(tie("pattern"), tie("pattern")).map(([a, b]) => `(?:${a}|${b})`),
        tie("pattern").map((a) => `(?:${a})*`),
        tie("pattern").map((a) => `(?:${a})+`),
        tie("pattern").map((a) => `(?:${a})?`),
      ),
    }));
    const text = fc.array(fc.constantFrom("a", "b"), { minLength: 12, maxLength: 12 });
    fc.assert(
      fc.property(pattern, text, (source, letters) => {
        fc.pre(source.length < 60 && patternFault(source) === undefined);
        const counted = [4, 8, 12].map((length) => ways(source, letters.slice(0, length).join("")));
        // Ways to read 12 letters: a polynomial of a low degree, where an exponential would be in the thousands.
        expect(Math.max(...counted)).toBeLessThan(2_000);
      }),
    );
  });
});

/** In how many ways a backtracking matcher can read the whole text, counted by a derivation of its own. */
function ways(source: string, text: string): number {
  const node = parse(source);
  return [...ends(node, text, 0)].filter((end) => end === text.length).length;
}

type Node =
  | { readonly kind: "set"; readonly letters: string }
  | { readonly kind: "all"; readonly parts: readonly Node[] }
  | { readonly kind: "any"; readonly parts: readonly Node[] }
  | { readonly kind: "many"; readonly part: Node; readonly min: 0 | 1; readonly isLoop: boolean };

function parse(source: string): Node {
  let at = 0;
  const alternatives = (): Node => {
    const parts = [sequence()];
    while (source[at] === "|") {
      at += 1;
      parts.push(sequence());
    }
    return { kind: "any", parts };
  };
  const sequence = (): Node => {
    const parts: Node[] = [];
    while (at < source.length && source[at] !== "|" && source[at] !== ")") parts.push(repeated());
    return { kind: "all", parts };
  };
  const repeated = (): Node => {
    let part = atomAt();
    for (let sign = source[at]; sign === "*" || sign === "+" || sign === "?"; sign = source[at]) {
      part = { kind: "many", part, min: sign === "+" ? 1 : 0, isLoop: sign !== "?" };
      at += 1;
    }
    return part;
  };
  const atomAt = (): Node => {
    if (source.startsWith("(?:", at)) {
      at += 3;
      const inner = alternatives();
      at += 1;
      return inner;
    }
    if (source[at] === "[") {
      at += 4;
      return { kind: "set", letters: "ab" };
    }
    at += 1;
    return { kind: "set", letters: source[at - 1] ?? "" };
  };
  return alternatives();
}

const MOST_ENDS = 20_000;

/** Where each way of reading ends; one that reads nothing in a loop is not tried again, as in ECMA-262. */
function* ends(node: Node, text: string, from: number): Generator<number> {
  switch (node.kind) {
    case "set":
      if (node.letters.includes(text[from] ?? " ")) yield from + 1;
      return;
    case "any":
      for (const part of node.parts) yield* ends(part, text, from);
      return;
    case "all": {
      let starts = [from];
      for (const part of node.parts) {
        starts = starts.flatMap((start) => [...ends(part, text, start)]).slice(0, MOST_ENDS);
      }
      yield* starts;
      return;
    }
    case "many": {
      if (node.min === 0) yield from;
      let starts = [...ends(node.part, text, from)];
      if (node.min === 0) starts = starts.filter((end) => end > from);
      yield* starts;
      while (node.isLoop && starts.length > 0) {
        starts = starts
          .flatMap((start) => [...ends(node.part, text, start)].filter((end) => end > start))
          .slice(0, MOST_ENDS);
        yield* starts;
      }
    }
  }
}
