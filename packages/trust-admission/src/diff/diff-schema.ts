import {
  canonicalJson,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from "@eve/canonical-json";
import type { Change, Grade } from "./change.ts";
import { change, diffLeaves, diffMembers, isEqual, type Maybe, textChange } from "./diff-json.ts";

/** Whose schema it is: what a caller must send, or what it gets. What loosens one breaks the other. */
export type Direction = "input" | "output";

const WORDS: ReadonlySet<string> = new Set([
  "title",
  "description",
  "examples",
  "example",
  "$comment",
  "deprecated",
]);
const NOTATION: ReadonlySet<string> = new Set(["$schema", "$id", "id"]);
/** Upper bounds: a higher one takes more. */
const UPPER: ReadonlySet<string> = new Set([
  "maximum",
  "exclusiveMaximum",
  "maxLength",
  "maxItems",
  "maxProperties",
]);
/** Lower bounds: a lower one takes more. */
const LOWER: ReadonlySet<string> = new Set([
  "minimum",
  "exclusiveMinimum",
  "minLength",
  "minItems",
  "minProperties",
]);
/** Names of schemas: a new name of a definition changes nothing by itself. */
const DEFINITIONS: ReadonlySet<string> = new Set(["$defs", "definitions"]);
/** Lists of schemas whose order means nothing. */
const ALTERNATIVES: ReadonlySet<string> = new Set(["allOf", "anyOf", "oneOf"]);
/** Places where another schema stands. */
const NESTED: ReadonlySet<string> = new Set([
  "items",
  "additionalProperties",
  "contains",
  "propertyNames",
  "additionalItems",
]);

/** What differs between two JSON Schemas, each difference graded for whoever calls. */
export function diffSchema(
  before: Maybe,
  after: Maybe,
  field: string,
  direction: Direction,
): readonly Change[] {
  if (isEqual(before, after)) return [];
  if (isSameNotation(before, after)) return [change("notation", field, before, after)];
  if (!isJsonObject(before) || !isJsonObject(after))
    return [change(gradeOfWhole(before, after, direction), field, before, after)];
  return diffMembers(before, after, field, (name, inner, old, now) =>
    diffKeyword({ name, field: inner, direction, before, after }, old, now),
  );
}

interface Keyword {
  readonly name: string;
  readonly field: string;
  readonly direction: Direction;
  /** The schemas it stands in. */
  readonly before: JsonObject;
  readonly after: JsonObject;
}

function diffKeyword(on: Keyword, old: Maybe, now: Maybe): readonly Change[] {
  const { name, field, direction } = on;
  if (WORDS.has(name)) return [textChange(field, old, now)];
  if (NOTATION.has(name)) return [change("notation", field, old, now)];
  if (name === "properties") return diffProperties(on, old, now);
  if (DEFINITIONS.has(name) || name === "patternProperties" || name === "dependentSchemas")
    return diffMembers(objectOr(old), objectOr(now), field, (_, inner, a, b) =>
      DEFINITIONS.has(name) && (a === undefined || b === undefined)
        ? [change("notation", inner, a, b)]
        : diffSchema(a, b, inner, direction),
    );
  if (NESTED.has(name) && old !== undefined && now !== undefined)
    return diffSchema(old, now, field, direction);
  if (name === "required") return [gradedSet(on, old, now, { more: "tighter" })];
  if (name === "enum" || name === "type") return [gradedSet(on, old, now, { more: "looser" })];
  if (ALTERNATIVES.has(name) && isReordered(old, now))
    return [change("order_only", field, old, now)];
  if (UPPER.has(name) || LOWER.has(name))
    return [change(boundGrade(on, old, now), field, old, now)];
  // A constraint that is gone takes more; one that is new or another one may take less.
  if (now === undefined && name !== "default")
    return [change(graded("looser", direction), field, old, now)];
  return diffLeaves(old, now, field, "breaking");
}

function diffProperties(on: Keyword, old: Maybe, now: Maybe): readonly Change[] {
  const { field, direction, before, after } = on;
  return diffMembers(objectOr(old), objectOr(now), field, (name, inner, a, b) => {
    if (a !== undefined && b !== undefined) return diffSchema(a, b, inner, direction);
    const isRequired = [before, after].some((schema) => listOf(schema["required"]).includes(name));
    const isAdded = a === undefined;
    const isBreaking = direction === "input" ? !isAdded || isRequired : !isAdded;
    return [change(isBreaking ? "breaking" : "loosened", inner, a, b)];
  });
}

type Effect = "looser" | "tighter";

/** A caller that sends is broken by what is tighter, one that reads by what is looser. */
function graded(effect: Effect, direction: Direction): Grade {
  const breaks = direction === "input" ? "tighter" : "looser";
  return effect === breaks ? "breaking" : "loosened";
}

/** A list that means a set: `required`, `enum`, `type`. */
function gradedSet(
  { field, direction }: Keyword,
  old: Maybe,
  now: Maybe,
  { more }: { readonly more: Effect },
): Change {
  // No `enum` or `type` allows everything; no `required` requires nothing.
  const less: Effect = more === "looser" ? "tighter" : "looser";
  if (old === undefined) return change(graded("tighter", direction), field, old, now);
  if (now === undefined) return change(graded("looser", direction), field, old, now);
  const [a, b] = [asList(old), asList(now)];
  const added = b.filter((item) => !a.some((other) => isEqual(item, other)));
  const removed = a.filter((item) => !b.some((other) => isEqual(item, other)));
  if (added.length === 0 && removed.length === 0)
    return change(isReordered(old, now) ? "order_only" : "notation", field, old, now);
  const effects = [...(added.length > 0 ? [more] : []), ...(removed.length > 0 ? [less] : [])];
  const grades = effects.map((effect) => graded(effect, direction));
  return change(grades.includes("breaking") ? "breaking" : "loosened", field, old, now);
}

/** Whether two lists hold the same items, each as often. */
function isReordered(old: Maybe, now: Maybe): boolean {
  if (!isJsonArray(old) || !isJsonArray(now)) return false;
  return isEqual(sorted(old), sorted(now));
}

function sorted(list: readonly JsonValue[]): JsonValue {
  return list.map((item) => canonicalJson(item)).toSorted();
}

function boundGrade({ name, direction }: Keyword, old: Maybe, now: Maybe): Grade {
  if (now === undefined) return graded("looser", direction);
  if (old === undefined || typeof old !== "number" || typeof now !== "number")
    return graded("tighter", direction);
  const isLooser = UPPER.has(name) ? now > old : now < old;
  return graded(isLooser ? "looser" : "tighter", direction);
}

/** `true` and `{}` take everything. */
function isSameNotation(a: Maybe, b: Maybe): boolean {
  return takesAll(a) && takesAll(b);
}

function takesAll(schema: Maybe): boolean {
  return schema === true || (isJsonObject(schema) && Object.keys(schema).length === 0);
}

function gradeOfWhole(before: Maybe, after: Maybe, direction: Direction): Grade {
  if (after === undefined || takesAll(after)) return graded("looser", direction);
  if (before === false) return graded("looser", direction);
  return "breaking";
}

function objectOr(value: Maybe): JsonObject {
  return isJsonObject(value) ? value : {};
}

function listOf(value: Maybe): readonly JsonValue[] {
  return isJsonArray(value) ? value : [];
}

function asList(value: JsonValue): readonly JsonValue[] {
  return isJsonArray(value) ? value : [value];
}
