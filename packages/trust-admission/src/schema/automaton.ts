import type { AST } from "@eslint-community/regexpp";
import { type CharacterSet, setOf } from "./character-set.ts";
import type { Work } from "./work.ts";

/**
 * The position automaton of a pattern (Glushkov): each place where a character is matched, and which may follow which.
 * A step that two operators allow is listed twice, for a matcher tries it twice.
 */
export interface Automaton {
  readonly sets: readonly CharacterSet[];
  readonly follow: readonly (readonly number[])[];
}

/** Most positions that are judged, and steps between them. */
const MAX_POSITIONS = 300;
const MAX_STEPS = 10_000;
/** Most elements that are looked at, copies too: what matches nothing has no positions, and may be repeated as well. */
const MAX_ELEMENTS = 5_000;
/** Copies made of what is repeated a bounded number of times: two already differ from one. */
const MAX_COPIES = 2;

/** What a part of a pattern may begin and end with, and whether it may be empty. */
interface Fragment {
  readonly first: readonly number[];
  readonly last: readonly number[];
  readonly isNullable: boolean;
}

const EMPTY: Fragment = { first: [], last: [], isNullable: true };

class TooLarge extends Error {}
class NotRegular extends Error {}

/** The automaton of a pattern, or why there is none. What was done is taken from `work`. */
export function automatonOf(pattern: AST.Pattern, work: Work): Automaton | string {
  const builder = new Builder();
  try {
    builder.alternatives(pattern.alternatives);
    return { sets: builder.sets, follow: builder.follow };
  } catch (error) {
    if (error instanceof TooLarge) return `a pattern of more than ${error.message}`;
    if (error instanceof NotRegular) return `a pattern with ${error.message}, which is not judged`;
    throw error;
  } finally {
    work.left -= builder.steps + builder.elements;
  }
}

class Builder {
  readonly sets: CharacterSet[] = [];
  readonly follow: number[][] = [];
  steps = 0;
  elements = 0;

  alternatives(alternatives: readonly AST.Alternative[]): Fragment {
    const parts = alternatives.map(({ elements }) =>
      elements.map((element) => this.#element(element)).reduce((a, b) => this.#concat(a, b), EMPTY),
    );
    return {
      first: parts.flatMap(({ first }) => first),
      last: parts.flatMap(({ last }) => last),
      isNullable: parts.some(({ isNullable }) => isNullable),
    };
  }

  #element(element: AST.Element): Fragment {
    this.elements += 1;
    if (this.elements > MAX_ELEMENTS) throw new TooLarge(`${MAX_ELEMENTS} elements`);
    switch (element.type) {
      case "Character":
      case "CharacterSet":
      case "CharacterClass":
        return this.#position(setOf(element));
      case "Group":
      case "CapturingGroup":
        return this.alternatives(element.alternatives);
      case "Quantifier":
        return this.#repeat(element);
      case "Assertion":
        // What is looked at is matched by itself, at every place: its own loops are judged, and nothing follows from it.
        if (element.kind === "lookahead" || element.kind === "lookbehind")
          this.alternatives(element.alternatives);
        return EMPTY;
      case "Backreference":
        throw new NotRegular("a back reference");
      case "ExpressionCharacterClass":
        throw new NotRegular("a set of strings");
    }
  }

  #position(set: CharacterSet): Fragment {
    const at = this.sets.push(set) - 1;
    if (at >= MAX_POSITIONS) throw new TooLarge(`${MAX_POSITIONS} positions`);
    this.follow.push([]);
    return { first: [at], last: [at], isNullable: false };
  }

  #concat(a: Fragment, b: Fragment): Fragment {
    this.#link(a.last, b.first);
    return {
      first: a.isNullable ? [...a.first, ...b.first] : a.first,
      last: b.isNullable ? [...a.last, ...b.last] : b.last,
      isNullable: a.isNullable && b.isNullable,
    };
  }

  /** `{n,m}` is judged as n or m copies, two at most, the last of which loops where there is no end. */
  #repeat({ element, min, max }: AST.Quantifier): Fragment {
    if (max === 0) return EMPTY;
    const isLoop = max === Number.POSITIVE_INFINITY;
    const copies = isLoop ? Math.max(1, Math.min(min, MAX_COPIES)) : Math.min(max, MAX_COPIES);
    let whole = EMPTY;
    for (let copy = 1; copy <= copies; copy += 1) {
      const part = this.#element(element);
      if (isLoop && copy === copies) this.#link(part.last, part.first);
      whole = this.#concat(whole, copy > min ? { ...part, isNullable: true } : part);
    }
    return whole;
  }

  #link(from: readonly number[], to: readonly number[]): void {
    this.steps += from.length * to.length;
    if (this.steps > MAX_STEPS) throw new TooLarge(`${MAX_STEPS} steps`);
    for (const position of from) this.follow[position]?.push(...to);
  }
}
