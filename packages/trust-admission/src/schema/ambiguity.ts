import type { Automaton } from "./automaton.ts";
import { type CharacterSet, doMeet } from "./character-set.ts";
import { componentsOf } from "./components.ts";
import type { Work } from "./work.ts";

/** Most steps of pairs that are tried before a pattern counts as one that cannot be judged. */
const MAX_STEPS = 300_000;

/**
 * Whether an automaton can read one text in a number of ways that grows exponentially with its length: it can leave a
 * position and come back to it by two ways that read the same (A. Weber and H. Seidl, On the degree of ambiguity of
 * finite automata, 1991). Decided on pairs of positions; "undecided" where they are too many, or `work` is used up.
 */
export function isExponential({ sets, follow }: Automaton, work: Work): boolean | "undecided" {
  const loops = loopsOf(follow);
  if (loops.some((inside) => new Set(inside).size < inside.length)) return true; // a step that two operators allow: (a+)+
  const own: Steps = { left: Math.min(MAX_STEPS, work.left) };
  work.left -= own.left;
  const meet = meetingOf(sets, own);
  let answer: boolean | "undecided" = false;
  for (let position = 0; position < loops.length && answer === false; position += 1)
    answer = divergesAndReturns(position, loops, meet, own);
  work.left += own.left;
  return answer;
}

type Steps = Pick<Work, "left">;

/** Whether the sets of two positions have a code point in common; each pair is compared once. */
type Meeting = (a: number, b: number) => boolean;

function meetingOf(sets: readonly CharacterSet[], work: Steps): Meeting {
  const known = new Map<number, boolean>();
  return (a, b) => {
    const key = a < b ? a * sets.length + b : b * sets.length + a;
    const before = known.get(key);
    if (before !== undefined) return before;
    const [one, other] = [sets[a] ?? [], sets[b] ?? []];
    work.left -= one.length * other.length;
    const answer = doMeet(one, other);
    known.set(key, answer);
    return answer;
  };
}

/** Whether from (p, p) a pair of different positions is reached that leads back to (p, p), always on equal characters. */
function divergesAndReturns(
  origin: number,
  loops: Automaton["follow"],
  meet: Meeting,
  work: Steps,
): boolean | "undecided" {
  const size = loops.length;
  const seen = new Set<number>();
  const queue = [{ a: origin, b: origin, differed: false }];
  for (let at = queue.pop(); at !== undefined; at = queue.pop()) {
    for (const a of loops[at.a] ?? [])
      for (const b of loops[at.b] ?? []) {
        work.left -= 1;
        if (work.left < 0) return "undecided";
        if (a !== b && !meet(a, b)) continue;
        // Once two ways have differed they stay two, also where they meet again.
        const differed = at.differed || a !== b;
        if (differed && a === origin && b === origin) return true;
        const key = (a * size + b) * 2 + Number(differed);
        if (seen.has(key)) continue;
        seen.add(key);
        queue.push({ a, b, differed });
      }
  }
  return false;
}

/** The steps from each position from which a way leads back to it; those that leave a loop for good are left out. */
function loopsOf(follow: Automaton["follow"]): Automaton["follow"] {
  const components = componentsOf(follow);
  return follow.map((steps, from) => steps.filter((to) => components[to] === components[from]));
}
