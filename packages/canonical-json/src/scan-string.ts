import { type Scan, STOPPED, stop } from "./scan.ts";

const SPACE = 0x20;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SMALL_U = 0x75;
const TWO_BYTE_LEAD = 0xc2;
const THREE_BYTE_LEAD = 0xe0;
const LAST_LEAD = 0xf4;
const SIMPLE_ESCAPES: readonly number[] = Array.from('"\\/bfnrt', (letter) => letter.charCodeAt(0));

/** 1 for each byte at which the walk through a string has something to do. */
const STOPS: Uint8Array = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte < SPACE || byte === QUOTE || byte === BACKSLASH || byte >= TWO_BYTE_LEAD ? 1 : 0,
);

/**
 * Scans the string that opens at `from`, to the index after its closing quote. Valid UTF-8 holds no lone surrogate, so
 * only an escape can spell one.
 */
export function scanString(scan: Scan, from: number): number {
  const { bytes } = scan;
  scan.escaped = false;
  let at = from + 1;
  for (;;) {
    let byte = bytes[at];
    while (byte !== undefined && STOPS[byte] === 0) byte = bytes[++at];
    if (byte === QUOTE) return at + 1;
    if (byte === BACKSLASH) {
      scan.escaped = true;
      at = scanEscape(scan, at);
      if (at === STOPPED) return STOPPED;
    } else if (byte !== undefined && byte >= TWO_BYTE_LEAD && byte <= LAST_LEAD) {
      // Two bytes are one UTF-16 code unit, three are one, four are two.
      scan.shift += byte < THREE_BYTE_LEAD ? 1 : 2;
      at++;
    } else if (byte === undefined) {
      return stop(scan, "unparseable", at, "A string ends with a double quote.");
    } else {
      return stop(
        scan,
        "unparseable",
        at,
        "A control character in a string is written as an escape.",
      );
    }
  }
}

function scanEscape(scan: Scan, from: number): number {
  const letter = scan.bytes[from + 1];
  if (letter !== SMALL_U) {
    return letter !== undefined && SIMPLE_ESCAPES.includes(letter)
      ? from + 2
      : stop(scan, "unparseable", from, "A backslash starts one of the escapes of JSON.");
  }
  const unit = unitAt(scan.bytes, from);
  if (unit === undefined) {
    return stop(scan, "unparseable", from, "Four hexadecimal digits follow \\u.");
  }
  if (unit === 0 && scan.registry) {
    return stop(scan, "string_invalid", from, "A string here does not hold the character U+0000.");
  }
  if (unit < 0xd800 || unit > 0xdfff) return from + 6;
  return unit < 0xdc00 && isLow(unitAt(scan.bytes, from + 6))
    ? from + 12
    : stop(scan, "string_invalid", from, "A surrogate escape is one of a high and low pair.");
}

function isLow(unit: number | undefined): boolean {
  return unit !== undefined && unit >= 0xdc00 && unit <= 0xdfff;
}

/** The UTF-16 code unit that a `\uXXXX` escape at `at` spells. */
function unitAt(bytes: Uint8Array, at: number): number | undefined {
  const escape = String.fromCharCode(...bytes.subarray(at, at + 6));
  return /^\\u[0-9a-fA-F]{4}$/.test(escape) ? Number.parseInt(escape.slice(2), 16) : undefined;
}
