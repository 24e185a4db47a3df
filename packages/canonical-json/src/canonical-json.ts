import { CanonicalJsonError } from "./errors.ts";
import type { JsonObject, JsonValue } from "./json-value.ts";
import { MAX_DEPTH } from "./max-depth.ts";

/**
 * The one spelling of a value under RFC 8785: names in UTF-16 code unit order, numbers and strings as ECMAScript writes
 * them, no white space. Throws {@link CanonicalJsonError} on a value that JSON cannot carry.
 */
export function canonicalJson(value: JsonValue): string {
  return write(value, 0);
}

/** The canonical form of an object, and that of each of its members: what is digested whole and in parts is written once. */
export interface CanonicalObject {
  readonly text: string;
  /** By the members' names. */
  readonly members: ReadonlyMap<string, string>;
}

/** {@link canonicalJson} of an object, with the text that each member's value has in it. */
export function canonicalObject(value: JsonObject): CanonicalObject {
  if (!isPlain(value)) throw new CanonicalJsonError("not_json", "an object is not a plain one");
  const members = new Map<string, string>();
  const text = writeObject(value, 1, (name, written) => void members.set(name, written));
  return { text, members };
}

function write(value: unknown, depth: number): string {
  if (typeof value === "string") return writeString(value);
  if (typeof value === "number") return writeNumber(value);
  if (typeof value === "boolean") return value ? "true" : "false";
  if (value === null) return "null";
  if (typeof value === "object") return writeContainer(value, depth + 1);
  throw new CanonicalJsonError("not_json", `JSON has no ${typeof value}`);
}

function writeString(text: string): string {
  if (!text.isWellFormed())
    throw new CanonicalJsonError("string_invalid", "a string holds a lone surrogate");
  return JSON.stringify(text);
}

function writeNumber(number: number): string {
  if (!Number.isFinite(number))
    throw new CanonicalJsonError("number_invalid", "a number is not finite");
  return String(number);
}

function writeContainer(value: object, depth: number): string {
  if (depth > MAX_DEPTH) {
    throw new CanonicalJsonError("too_deep", `values nest more than ${MAX_DEPTH} levels deep`);
  }
  if (Array.isArray(value)) return writeArray(value, depth);
  if (isPlain(value)) return writeObject(value, depth);
  throw new CanonicalJsonError("not_json", "an object is not a plain one");
}

function writeArray(items: readonly unknown[], depth: number): string {
  let written = "";
  for (let index = 0; index < items.length; index++) {
    written += index === 0 ? write(items[index], depth) : `,${write(items[index], depth)}`;
  }
  return `[${written}]`;
}

function writeObject(
  members: Readonly<Record<string, unknown>>,
  depth: number,
  tell?: (name: string, written: string) => void,
): string {
  let written = "";
  for (const name of inOrder(Object.keys(members))) {
    const value = write(members[name], depth);
    tell?.(name, value);
    written += written === "" ? writeName(name) + value : `,${writeName(name)}${value}`;
  }
  return `{${written}}`;
}

/** Sorts by UTF-16 code units in place; most objects of a listing come in order. */
function inOrder(names: string[]): readonly string[] {
  for (let at = 1; at < names.length; at++)
    if ((names[at - 1] ?? "") > (names[at] ?? "")) return names.toSorted();
  return names;
}

/** Few names make up most of a document: the first short ones met are written once, and so are their colons. */
const MAX_NAMES = 4096;
const MAX_KEPT_LENGTH = 64;
const kept = new Map<string, string>();

function writeName(name: string): string {
  const before = kept.get(name);
  if (before !== undefined) return before;
  if (name === "__proto__")
    throw new CanonicalJsonError("unsafe_key", "an object has a member __proto__");
  const written = `${writeString(name)}:`;
  if (kept.size < MAX_NAMES && name.length <= MAX_KEPT_LENGTH) kept.set(name, written);
  return written;
}

/** Plain: its prototype is a root one (of any realm) or none, so a Date, a Map or a class instance is not. */
function isPlain(value: object): value is Readonly<Record<string, unknown>> {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
