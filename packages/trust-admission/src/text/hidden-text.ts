import type { JsonValue } from "@eve/canonical-json";
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

/** Nearly every text is of these alone, and none of them is hidden. */
const PLAIN = /^[\n\t\u0020-\u007e]*$/;

/** Finds every text of a surface, names of members too, that holds hidden code points; in the order of the surface. */
export function findHiddenText(surface: Surface): readonly HiddenText[] {
  const found: HiddenText[] = [];
  for (const { field, value } of surfaceParts(surface)) look(value, field, [], found);
  return found;
}

/** `path` is where `value` stands below `field`; it is written out only where something is found. */
function look(value: JsonValue, field: string, path: string[], found: HiddenText[]): void {
  if (typeof value === "string") return judge(value, field, path, found);
  if (typeof value !== "object" || value === null) return;
  const members: readonly (readonly [string, JsonValue])[] = Object.entries(value);
  for (const [name, member] of members) {
    path.push(name);
    judge(name, field, path, found);
    look(member, field, path, found);
    path.pop();
  }
}

function judge(text: string, field: string, path: readonly string[], found: HiddenText[]): void {
  if (PLAIN.test(text)) return;
  const points = [...new Set(text.match(HIDDEN) ?? [])]
    .map((character) => character.codePointAt(0) ?? 0)
    .toSorted((a, b) => a - b);
  if (points.length === 0) return;
  const place = path.map((name) => `/${escapePointer(name)}`).join("");
  found.push({ field: field + place, codePoints: points.map(named) });
}

/** `U+200B`: at least four digits, as Unicode writes them. */
function named(point: number): string {
  return `U+${point.toString(16).toUpperCase().padStart(4, "0")}`;
}

/** One segment of an RFC 6901 pointer. */
export function escapePointer(segment: string): string {
  return segment.replaceAll("~", "~0").replaceAll("/", "~1");
}
