import type { Change, Surface } from "@eve/trust-admission";
import { diffWordsWithSpace } from "diff";

/** Longest text of which words are compared, or that is shown whole. */
const MAX_WORDS = 20_000;
/** Of a longer text, how much is shown of each end. */
const MAX_END = 2_000;

/** What differs between a surface and the reviewed one in the same version, for a person who reads it: exact, and bounded. */
export function comparisonLines(
  id: string,
  { protocolVersion }: Pick<Surface, "protocolVersion">,
  changes: readonly Change[],
): readonly string[] {
  return [`${id} in ${protocolVersion}: ${summary(changes)}`, ...changes.flatMap(changeLines)];
}

function summary(changes: readonly Change[]): string {
  if (changes.length === 0) return "as reviewed";
  return `${changes.length} ${changes.length === 1 ? "difference" : "differences"} from what was reviewed`;
}

function changeLines({ grade, field, before, after }: Change): readonly string[] {
  const head = `  ${grade.replaceAll("_", " ")}  ${field}`;
  if (before === undefined) return [head, `    + ${ends(after ?? "")}`];
  if (after === undefined) return [head, `    - ${ends(before)}`];
  if (before.length + after.length > MAX_WORDS) {
    const { start, old, now, end } = withoutCommon(before, after);
    return [head, `    - ${start}${ends(old)}${end}`, `    + ${start}${ends(now)}${end}`];
  }
  if (!before.includes(" ")) return [head, `    - ${before}`, `    + ${after}`];
  return [head, `    ${wordsOf(before, after)}`];
}

/** One text in which what went stands as [-…-] and what came as {+…+}. */
function wordsOf(before: string, after: string): string {
  return diffWordsWithSpace(before, after)
    .map(({ value, added, removed }) => (added ? `{+${value}+}` : removed ? `[-${value}-]` : value))
    .join("");
}

interface Apart {
  readonly start: string;
  readonly old: string;
  readonly now: string;
  readonly end: string;
}

/** Two long texts without their common beginning and end, of which only the lengths are told. */
function withoutCommon(before: string, after: string): Apart {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  return {
    start: leftOut(start, "equal"),
    old: before.slice(start, before.length - end),
    now: after.slice(start, after.length - end),
    end: leftOut(end, "equal"),
  };
}

/** A text whole, or its length and both its ends. */
function ends(text: string): string {
  if (text.length <= MAX_WORDS) return text;
  const between = leftOut(text.length - 2 * MAX_END, `of ${text.length}`);
  return `${text.slice(0, MAX_END)}${between}${text.slice(-MAX_END)}`;
}

function leftOut(length: number, what: string): string {
  return length === 0 ? "" : `⟨… ${length} characters ${what}; --json of diff has all …⟩`;
}
