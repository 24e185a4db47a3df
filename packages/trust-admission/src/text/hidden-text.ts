import { isJsonArray, type JsonValue } from "@eve/canonical-json";
import type { Surface } from "../surface.ts";
import { surfaceParts } from "./surface-parts.ts";

/** A text of a surface that holds what nobody sees. */
export interface HiddenText {
  /** RFC 6901 pointer; items of a list are named by their name or URI, as in `/tools/read_file/description`. */
  readonly field: string;
  /** Each code point once, as `U+200B`, in order of value. */
  readonly codePoints: readonly string[];
}

/**
 * Invisible, bidirectional, tag, control (but LF and TAB) and private-use code points, line and paragraph separators,
 * and the one blank that is a letter to Unicode (U+2800).
 */
export const HIDDEN: RegExp =
  /(?![\n\t])[\p{Cc}\p{Default_Ignorable_Code_Point}\p{Cf}\p{Zl}\p{Zp}\p{Co}\u2800]/gu;

const ONE_HIDDEN = new RegExp(HIDDEN.source, "u");

/** Nearly every text is of these alone, and none of them is hidden. */
const PLAIN = /^[\n\t\u0020-\u007e]*$/;

/** Finds every text of a surface, names of members too, that holds hidden code points; in its order, one at a time. */
export function* findHiddenText(surface: Surface): Generator<HiddenText> {
  for (const { field, value } of surfaceParts(surface))
    if (!isPlain(value)) yield* look(value, field, []);
}

/** Whether all texts of a value, names of members too, are plain: so are nearly all parts of surfaces. */
function isPlain(value: JsonValue): boolean {
  if (typeof value === "string") return PLAIN.test(value);
  if (typeof value !== "object" || value === null) return true;
  if (isJsonArray(value)) return value.every(isPlain);
  const members: readonly (readonly [string, JsonValue])[] = Object.entries(value);
  return members.every(([name, member]) => PLAIN.test(name) && isPlain(member));
}

/** `path` is where `value` stands below `field`; it is written out only where something is found. */
function* look(value: JsonValue, field: string, path: string[]): Generator<HiddenText> {
  if (typeof value === "string") yield* found(value, field, path);
  if (typeof value !== "object" || value === null) return;
  const members: readonly (readonly [string, JsonValue])[] = Object.entries(value);
  for (const [name, member] of members) {
    path.push(name);
    yield* found(name, field, path);
    yield* look(member, field, path);
    path.pop();
  }
}

function* found(text: string, field: string, path: readonly string[]): Generator<HiddenText> {
  if (PLAIN.test(text)) return;
  const points = hiddenIn(text);
  if (points.length === 0) return;
  const place = path.map((name) => `/${escapePointer(name)}`).join("");
  yield { field: field + place, codePoints: points.map(named) };
}

/** Each hidden code point of a text once, in order of value. Each is looked up once, however long the text is. */
function hiddenIn(text: string): readonly number[] {
  const seen = new Set<number>();
  for (let at = 0; at < text.length; at += 1) {
    const point = text.codePointAt(at) ?? 0;
    if (point > 0xff_ff) at += 1;
    if (point < 0x20 || point > 0x7e) seen.add(point);
  }
  return [...seen].filter(isHidden).toSorted((a, b) => a - b);
}

function isHidden(point: number): boolean {
  return ONE_HIDDEN.test(String.fromCodePoint(point));
}

/** `U+200B`: at least four digits, as Unicode writes them. */
function named(point: number): string {
  return `U+${point.toString(16).toUpperCase().padStart(4, "0")}`;
}

/** One segment of an RFC 6901 pointer. */
export function escapePointer(segment: string): string {
  return segment.replaceAll("~", "~0").replaceAll("/", "~1");
}
