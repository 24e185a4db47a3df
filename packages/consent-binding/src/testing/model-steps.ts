import { ACTORS, type Difference, ITEM_IDS, OPERATORS, type Person } from "./consent-model.ts";

/**
 * One step of a sequence, as a value. `pick` is the place of a consent among those there are by then; who is `proper` is
 * the one that may: the operator of its tenant, or the actor that asked.
 */
export type ModelStep =
  | {
      readonly kind: "request";
      readonly by: Person;
      readonly itemId: string;
      readonly channel: string;
    }
  | {
      readonly kind: "decide";
      readonly by: Person | "proper";
      readonly pick: number;
      readonly approve: boolean;
      readonly rightDigest: boolean;
    }
  | {
      readonly kind: "execute";
      readonly by: Person | "proper";
      readonly pick: number;
      readonly change: Difference;
    }
  | { readonly kind: "wait"; readonly ms: number }
  | { readonly kind: "edit"; readonly tenant: string; readonly itemId: string };

/** Numbers from 0 that a step is made of. */
export type StepNumbers = readonly [number, number, number, number, number];

const PEOPLE: readonly Person[] = [...ACTORS, ...OPERATORS];
const KINDS = [
  "request",
  "request",
  "decide",
  "decide",
  "execute",
  "execute",
  "execute",
  "wait",
  "edit",
] as const;
const WAITS_MS = [1, 60_000, 60_000, 299_999, 599_999, 600_000] as const;
const CHANGES = ["channel", "tool", "pins", "entry"] as const;

/**
 * The step that some numbers stand for, so that any generator of numbers makes sequences. Most steps are such as
 * people take: operators decide, agents execute what was approved; each fifth is not.
 */
export function stepOf([kind, who, pick, one, other]: StepNumbers): ModelStep {
  const itemId = nth(ITEM_IDS, one);
  switch (nth(KINDS, kind)) {
    case "request":
      return {
        kind: "request",
        by: nth(ACTORS, who),
        itemId,
        channel: nth(["beta", "internal"], other),
      };
    case "decide":
      return {
        kind: "decide",
        by: one % 5 === 0 ? nth(PEOPLE, who) : "proper",
        pick,
        approve: one % 7 !== 1,
        rightDigest: other % 6 !== 1,
      };
    case "execute":
      return {
        kind: "execute",
        by: one % 5 === 0 ? nth(PEOPLE, who) : "proper",
        pick,
        change: other % 5 === 1 ? nth(CHANGES, Math.floor(other / 5)) : "none",
      };
    case "wait":
      return { kind: "wait", ms: nth(WAITS_MS, one) };
    case "edit":
      return { kind: "edit", tenant: nth(["acme", "globex"], who), itemId };
  }
}

function nth<Value>(values: readonly [Value, ...Value[]] | readonly Value[], at: number): Value {
  const value = values[at % values.length];
  if (value === undefined) throw new RangeError("steps are made of whole numbers from 0");
  return value;
}
