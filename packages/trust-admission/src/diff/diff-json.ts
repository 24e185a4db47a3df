import {
  canonicalJson,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from "@eve/canonical-json";
import { escapePointer } from "../text/hidden-text.ts";
import { visibleText } from "../text/visible-text.ts";
import type { Change, Grade } from "./change.ts";
import { looksHostDependent } from "./host-dependent.ts";

/** A value that is there, or is not. */
export type Maybe = JsonValue | undefined;

export function isEqual(a: Maybe, b: Maybe): boolean {
  return a === undefined || b === undefined ? a === b : canonicalJson(a) === canonicalJson(b);
}

/** One difference, with both values as text. */
export function change(grade: Grade, field: string, before: Maybe, after: Maybe): Change {
  return {
    grade,
    field: visibleText(field),
    ...(before !== undefined && { before: shown(before) }),
    ...(after !== undefined && { after: shown(after) }),
  };
}

/** A change of words, or of what the server's machine puts into them. */
export function textChange(field: string, before: Maybe, after: Maybe): Change {
  const isOfHost =
    typeof before === "string" && typeof after === "string" && looksHostDependent(before, after);
  return change(isOfHost ? "looks_host_dependent" : "prose", field, before, after);
}

/** Every member that differs, each judged by `judge`. */
export function diffMembers(
  before: JsonObject,
  after: JsonObject,
  field: string,
  judge: (name: string, field: string, before: Maybe, after: Maybe) => readonly Change[],
): readonly Change[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].flatMap((name) => {
    const [old, now] = [own(before, name), own(after, name)];
    return isEqual(old, now) ? [] : judge(name, `${field}/${escapePointer(name)}`, old, now);
  });
}

/** Leaf by leaf: texts may be of the host, everything else is of `grade`. */
export function diffLeaves(
  before: Maybe,
  after: Maybe,
  field: string,
  grade: Grade,
): readonly Change[] {
  if (isEqual(before, after)) return [];
  if (isJsonObject(before) && isJsonObject(after))
    return diffMembers(before, after, field, (_, inner, old, now) =>
      diffLeaves(old, now, inner, grade),
    );
  if (isJsonArray(before) && isJsonArray(after) && before.length === after.length)
    return before.flatMap((old, at) => diffLeaves(old, after[at], `${field}/${at}`, grade));
  if (typeof before === "string" && typeof after === "string" && looksHostDependent(before, after))
    return [change("looks_host_dependent", field, before, after)];
  return [change(grade, field, before, after)];
}

function own(from: JsonObject, name: string): Maybe {
  return Object.hasOwn(from, name) ? from[name] : undefined;
}

function shown(value: JsonValue): string {
  return visibleText(typeof value === "string" ? value : canonicalJson(value));
}
