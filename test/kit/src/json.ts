import type { JsonObject, JsonValue } from "@eve/canonical-json";

/** Where a value sits in another: member names and list positions. */
export type Path = readonly (string | number)[];

/** A scalar, or a list or object without members, and where it sits. */
export interface Leaf {
  readonly path: Path;
  readonly value: JsonValue;
}

/** The value as an object; throws where it is none, so that a test fails where its own premise does. */
export function objectIn(value: JsonValue | undefined): JsonObject {
  if (isObject(value)) return value;
  throw new TypeError("not an object");
}

/** The value as a list; throws where it is none. */
export function listIn(value: JsonValue | undefined): readonly JsonValue[] {
  if (isList(value)) return value;
  throw new TypeError("not a list");
}

/** The value as a text; throws where it is none. */
export function textIn(value: JsonValue | undefined): string {
  if (typeof value === "string") return value;
  throw new TypeError("not a text");
}

/** The UTF-8 bytes of a value as JSON, two spaces deep: what a file of the registry holds. */
export function bytesOf(value: JsonValue): Uint8Array {
  return new TextEncoder().encode(`${JSON.stringify(value, undefined, 2)}\n`);
}

/** A copy of `value` with one place changed; the change gets what is there and answers what shall be, `undefined` to remove it. */
export function withChange<T extends JsonValue>(
  value: T,
  path: Path,
  change: (old: JsonValue | undefined) => JsonValue | undefined,
): T {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a test changes what it likes and keeps the type
  return changed(value, path, change) as T;
}

/** {@link withChange} with the value that shall be there; `undefined` removes the member. */
export function withValue<T extends JsonValue>(
  value: T,
  path: Path,
  next: JsonValue | undefined,
): T {
  return withChange(value, path, () => next);
}

/** What sits at a path; `undefined` where nothing does. */
export function valueAt(value: JsonValue | undefined, path: Path): JsonValue | undefined {
  const [key, ...rest] = path;
  if (key === undefined || value === undefined) return value;
  return valueAt(child(value, key), rest);
}

/** All leaves of a value, depth first in document order. */
export function leavesOf(value: JsonValue, path: Path = []): readonly Leaf[] {
  if (typeof value !== "object" || value === null) return [{ path, value }];
  const members: readonly [string, JsonValue][] = Object.entries(value);
  if (members.length === 0) return [{ path, value }];
  const inList = Array.isArray(value);
  return members.flatMap(([key, item]) => leavesOf(item, [...path, inList ? Number(key) : key]));
}

/** Every object inside a value, the value itself first, and where it sits. */
export function objectsOf(
  value: JsonValue,
  path: Path = [],
): readonly { readonly path: Path; readonly value: JsonObject }[] {
  if (isList(value)) return value.flatMap((item, i) => objectsOf(item, [...path, i]));
  if (!isObject(value)) return [];
  const inside = Object.entries(value).flatMap(([key, item]) => objectsOf(item, [...path, key]));
  return [{ path, value }, ...inside];
}

/** A path as the registry's refusals write it: `tools[0].pins.definition.2026-07-28`. */
export function pathText(path: Path): string {
  return path.reduce<string>(
    (text, key) =>
      typeof key === "number" ? `${text}[${key}]` : text === "" ? key : `${text}.${key}`,
    "",
  );
}

function child(value: JsonValue, key: string | number): JsonValue | undefined {
  if (isList(value)) return typeof key === "number" ? value[key] : undefined;
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

function changed(
  value: JsonValue | undefined,
  path: Path,
  change: (old: JsonValue | undefined) => JsonValue | undefined,
): JsonValue | undefined {
  const [key, ...rest] = path;
  if (key === undefined) return change(value);
  if (isList(value)) {
    const next = changed(child(value, key), rest, change);
    return value.flatMap((item, i) => (i === key ? (next === undefined ? [] : [next]) : [item]));
  }
  const object = objectIn(value);
  const next = changed(child(object, key), rest, change);
  const kept = Object.entries(object).filter(([name]) => next !== undefined || name !== key);
  const members = kept.map(([name, item]) => [name, name === key ? next : item] as const);
  const added =
    Object.hasOwn(object, key) || next === undefined ? [] : [[String(key), next] as const];
  return Object.fromEntries(
    [...members, ...added].flatMap(([name, item]) => (item === undefined ? [] : [[name, item]])),
  );
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}
