import { MemberNames } from "./member-names.ts";
import { scanName } from "./scan-name.ts";
import { scanNumber } from "./scan-number.ts";
import { skipSpace } from "./scan-space.ts";
import { scanString } from "./scan-string.ts";
import { type Scan, STOPPED, stop } from "./scan.ts";

const QUOTE = 0x22;
const COMMA = 0x2c;
const MINUS = 0x2d;
const DIGIT_0 = 0x30;
const DIGIT_9 = 0x39;
const ARRAY_OPENS = 0x5b;
const ARRAY_ENDS = 0x5d;
const OBJECT_OPENS = 0x7b;
const OBJECT_ENDS = 0x7d;
const BYTE_ORDER_MARK = "\ufeff";
const WORDS: readonly string[] = ["true", "false", "null"];

/** The containers that are open where the scan stands: an object by its names so far, an array by `undefined`. */
type Open = (MemberNames | undefined)[];

/** Whether the text is one JSON document under the rules of the scan; where it is not, `scan.fault` says why. */
export function scanDocument(scan: Scan): boolean {
  const { bytes } = scan;
  if (scan.text.startsWith(BYTE_ORDER_MARK)) {
    stop(scan, "unparseable", 0, "A document starts without a byte order mark.");
    return false;
  }
  const open: Open = [];
  let at = skipSpace(bytes, 0);
  do {
    at = scanValue(scan, open, at);
    if (at !== STOPPED) at = scanEnds(scan, open, at);
  } while (at !== STOPPED && open.length > 0);
  return at !== STOPPED;
}

/** Scans one scalar or empty container, or opens containers down to their first one. */
function scanValue(scan: Scan, open: Open, from: number): number {
  const { bytes } = scan;
  let at = from;
  for (;;) {
    const byte = bytes[at];
    if (++scan.values > scan.maxValues) {
      return stop(scan, "too_large", at, `A document has at most ${scan.maxValues} values.`);
    }
    if (byte === QUOTE) return scanString(scan, at);
    if (byte !== OBJECT_OPENS && byte !== ARRAY_OPENS) return scanPlain(scan, at, byte);
    if (!(open.length < scan.maxDepth)) {
      return stop(scan, "too_deep", at, `Values nest at most ${scan.maxDepth} levels deep.`);
    }
    at = skipSpace(bytes, at + 1);
    if (bytes[at] === (byte === OBJECT_OPENS ? OBJECT_ENDS : ARRAY_ENDS)) return at + 1;
    const names = byte === OBJECT_OPENS ? new MemberNames() : undefined;
    open.push(names);
    if (names !== undefined) at = scanName(scan, names, at);
    if (at === STOPPED) return at;
  }
}

function scanPlain(scan: Scan, at: number, byte: number | undefined): number {
  if (byte === undefined)
    return stop(scan, "unparseable", at, "A JSON value was expected, not the end.");
  if ((byte >= DIGIT_0 && byte <= DIGIT_9) || byte === MINUS) return scanNumber(scan, at);
  for (const word of WORDS) {
    if (scan.text.startsWith(word, at - scan.shift)) return at + word.length;
  }
  return stop(scan, "unparseable", at, "A JSON value was expected here.");
}

/** After a value: closes what closes, and moves to the next value, or to the end of the text. */
function scanEnds(scan: Scan, open: Open, from: number): number {
  const { bytes } = scan;
  let at = skipSpace(bytes, from);
  while (open.length > 0) {
    const names = open[open.length - 1];
    const byte = bytes[at];
    if (byte === COMMA) {
      at = skipSpace(bytes, at + 1);
      return names === undefined ? at : scanName(scan, names, at);
    }
    if (byte !== (names === undefined ? ARRAY_ENDS : OBJECT_ENDS)) {
      const closing = names === undefined ? "]" : "}";
      return stop(scan, "unparseable", at, `A comma or "${closing}" was expected here.`);
    }
    open.pop();
    at = skipSpace(bytes, at + 1);
  }
  return at === bytes.length
    ? at
    : stop(scan, "unparseable", at, "Nothing may follow the document.");
}
