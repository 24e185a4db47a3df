import { type AST, RegExpParser } from "@eslint-community/regexpp";
import { type Automaton, automatonOf } from "./automaton.ts";
import { isExponential } from "./ambiguity.ts";
import { type Work, workForSurface } from "./work.ts";

/** Longest pattern that is looked at, in UTF-16 code units. */
const MAX_LENGTH = 1_000;
/** What it costs to parse one code unit. */
const PARSING = 10;

/**
 * Why a pattern of a JSON Schema is dangerous to match with, or undefined. Dangerous is one that is no regular
 * expression of ECMA-262, that can be read in exponentially many ways (the cause of catastrophic backtracking), or
 * that cannot be judged: back references, sets of strings, too long or too large, or more than `work` allows. Never
 * throws.
 */
export function patternFault(pattern: string, work: Work = workForSurface()): string | undefined {
  if (pattern.length > MAX_LENGTH) return `a pattern of ${pattern.length} characters`;
  work.left -= PARSING * pattern.length;
  if (work.left < 0) return "more patterns than are judged";
  const parsed = parse(pattern);
  if (parsed === undefined) return "a pattern that is no regular expression";
  const automaton: Automaton | string = automatonOf(parsed, work);
  if (typeof automaton === "string") return automaton;
  const answer = isExponential(automaton, work);
  if (answer === "undecided") return "a pattern that is too large to judge";
  return answer ? "a pattern that takes exponential time" : undefined;
}

/** With the `u` flag as JSON Schema asks, or without it as many write them. */
function parse(pattern: string): AST.Pattern | undefined {
  const parser = new RegExpParser({ ecmaVersion: 2025 });
  for (const unicode of [true, false])
    try {
      return parser.parsePattern(pattern, 0, pattern.length, { unicode });
    } catch {
      continue;
    }
  return undefined;
}
