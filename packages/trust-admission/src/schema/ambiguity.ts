import type { Automaton } from "./automaton.ts";
import { doMeet } from "./character-set.ts";

/** Most steps of pairs that are tried before a pattern counts as one that cannot be judged. */
const MAX_STEPS = 1_000_000;

/**
 * Whether an automaton can read one text in a number of ways that grows exponentially with its length: it can leave a
 * position and come back to it by two ways that read the same (A. Weber and H. Seidl, On the degree of ambiguity of
 * finite automata, 1991). Decided on pairs of positions; "undecided" where they are too many.
 */
export function isExponential({ sets, follow }: Automaton): boolean | "undecided" {
  const loops = loopsOf(follow);
  const budget = { steps: MAX_STEPS };
  for (const [position, inside] of loops.entries()) {
    if (new Set(inside).size < inside.length) return true; // a step that two operators allow: (a+)+
    const answer = divergesAndReturns(position, loops, sets, budget);
    if (answer !== false) return answer;
  }
  return false;
}

/** Whether from (p, p) a pair of different positions is reached that leads back to (p, p), always on equal characters. */
function divergesAndReturns(
  origin: number,
  loops: Automaton["follow"],
  sets: Automaton["sets"],
  budget: { steps: number },
): boolean | "undecided" {
  const size = loops.length;
  const seen = new Set<number>();
  const queue = [{ a: origin, b: origin, differed: false }];
  for (let at = queue.pop(); at !== undefined; at = queue.pop()) {
    for (const a of loops[at.a] ?? [])
      for (const b of loops[at.b] ?? []) {
        budget.steps -= 1;
        if (budget.steps < 0) return "undecided";
        if (a !== b && !doMeet(sets[a] ?? [], sets[b] ?? [])) continue;
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
  const reach = follow.map((_, from) => reachable(from, follow));
  return follow.map((steps, from) => steps.filter((to) => reach[to]?.has(from) === true));
}

function reachable(from: number, follow: Automaton["follow"]): ReadonlySet<number> {
  const seen = new Set<number>();
  const queue = [...(follow[from] ?? [])];
  for (let at = queue.pop(); at !== undefined; at = queue.pop()) {
    if (seen.has(at)) continue;
    seen.add(at);
    queue.push(...(follow[at] ?? []));
  }
  return seen;
}
