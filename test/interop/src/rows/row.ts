import type { JsonObject } from "@eve/canonical-json";
import type { RefusalCode } from "@eve/registry-schema";
import { type Path, withChange, withValue } from "@eve/test-kit";
import type { OPENINGS } from "../run.ts";
import type { Change, Launch, TrialChanges, WorkbenchTrial } from "../trial.ts";

/** One way in which a built workbench is not what was reviewed, and the first code it must answer at start. */
export interface RefusalRow extends TrialChanges {
  /** In words, with the attack bank's ids where it has the case. */
  readonly what: string;
  readonly code: RefusalCode;
  /** How it is started; as the entry says where it is left out. */
  readonly launch?: (trial: WorkbenchTrial) => Launch;
  /** How the client opens; `legacy` where it is left out. */
  readonly era?: keyof typeof OPENINGS;
  /** What must not be said, beside the credential and the served texts. */
  readonly secrets?: readonly string[];
}

/** A change of the entry that puts a value at a path; `undefined` removes what is there. */
export function set(path: Path, value: JsonObject[string] | undefined): Change {
  return (entry) => withValue(entry, path, value);
}

/** A change of the entry that replaces the first hexadecimal digit at a path. */
export function oneDigit(path: Path): Change {
  return (entry) =>
    withChange(entry, path, (old) => {
      if (typeof old !== "string" || !/^[0-9a-f]{64}$/.test(old)) throw new Error("no digest");
      return `${old.startsWith("0") ? "1" : "0"}${old.slice(1)}`;
    });
}

/** Several changes, the first one first. */
export function all(...changes: readonly Change[]): Change {
  return (value) => changes.reduce((left, change) => change(left), value);
}

/** Replaces one piece of a text; throws unless it is there exactly once. */
export function replaceOnce(from: string, to: string): (text: string) => string {
  return (text) => {
    const parts = text.split(from);
    if (parts.length !== 2) throw new Error(`${parts.length - 1} times in the text: ${from}`);
    return parts.join(to);
  };
}
