import type { AST } from "@eslint-community/regexpp";

/** Code points as ranges, both ends in it. */
export type CharacterSet = readonly (readonly [number, number])[];

/** Every code point. */
const EVERYTHING: CharacterSet = [[0, 0x10_ffff]];

const DIGITS: CharacterSet = [[0x30, 0x39]];
const WORD: CharacterSet = [
  [0x30, 0x39],
  [0x41, 0x5a],
  [0x5f, 0x5f],
  [0x61, 0x7a],
];
const SPACE: CharacterSet = [
  [0x09, 0x0d],
  [0x20, 0x20],
  [0xa0, 0xa0],
  [0x16_80, 0x16_80],
  [0x20_00, 0x20_0a],
  [0x20_28, 0x20_29],
  [0x20_2f, 0x20_2f],
  [0x20_5f, 0x20_5f],
  [0x30_00, 0x30_00],
  [0xfe_ff, 0xfe_ff],
];
const LINE_ENDS: CharacterSet = [
  [0x0a, 0x0a],
  [0x0d, 0x0d],
  [0x20_28, 0x20_29],
];

/** What one element of a pattern matches; what is not known exactly is taken as everything, which only makes two sets meet. */
export function setOf(
  element: AST.Character | AST.CharacterSet | AST.CharacterClass | AST.CharacterClassRange,
): CharacterSet {
  switch (element.type) {
    case "Character":
      return [[element.value, element.value]];
    case "CharacterClassRange":
      return [[element.min.value, element.max.value]];
    case "CharacterSet":
      return escapeSet(element);
    case "CharacterClass":
      return classSet(element);
  }
}

/** Whether two sets have a code point in common. */
export function doMeet(a: CharacterSet, b: CharacterSet): boolean {
  return a.some(([from, to]) => b.some(([start, end]) => from <= end && start <= to));
}

function escapeSet(set: AST.CharacterSet): CharacterSet {
  switch (set.kind) {
    case "digit":
      return set.negate ? complement(DIGITS) : DIGITS;
    case "word":
      return set.negate ? complement(WORD) : WORD;
    case "space":
      return set.negate ? complement(SPACE) : SPACE;
    case "any":
      return complement(LINE_ENDS);
    case "property":
      return EVERYTHING;
  }
}

function classSet(set: AST.CharacterClass): CharacterSet {
  const parts: CharacterSet[] = [];
  for (const element of set.elements) {
    if (
      element.type !== "Character" &&
      element.type !== "CharacterClassRange" &&
      element.type !== "CharacterSet"
    )
      return EVERYTHING;
    // The complement of what is not known exactly would be too little.
    if (element.type === "CharacterSet" && element.kind === "property") return EVERYTHING;
    parts.push(setOf(element));
  }
  const union = parts.flat();
  return set.negate ? complement(union) : union;
}

function complement(set: CharacterSet): CharacterSet {
  const out: (readonly [number, number])[] = [];
  let next = 0;
  for (const [from, to] of set.toSorted(([a], [b]) => a - b)) {
    if (from > next) out.push([next, from - 1]);
    next = Math.max(next, to + 1);
  }
  if (next <= 0x10_ffff) out.push([next, 0x10_ffff]);
  return out;
}
