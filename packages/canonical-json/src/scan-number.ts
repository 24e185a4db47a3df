import { type Scan, STOPPED, stop } from "./scan.ts";

const PLUS = 0x2b;
const MINUS = 0x2d;
const POINT = 0x2e;
const DIGIT_0 = 0x30;
const DIGIT_9 = 0x39;
const CAPITAL_E = 0x45;
const SMALL_E = 0x65;

/** Every integer of so many digits is one that a double holds. */
const SAFE_DIGITS = 15;

/** Scans the number that starts at `from`: its grammar (RFC 8259, 6), then whether a double keeps it. */
export function scanNumber(scan: Scan, from: number): number {
  const { bytes } = scan;
  const digits = bytes[from] === MINUS ? from + 1 : from;
  const whole = skipDigits(bytes, digits);
  if (whole === digits) return stop(scan, "unparseable", whole, "A digit was expected here.");
  if (whole > digits + 1 && bytes[digits] === DIGIT_0) {
    return stop(
      scan,
      "unparseable",
      digits,
      "A number does not start with a zero that more digits follow.",
    );
  }
  const end = scanExponent(scan, scanFraction(scan, whole));
  if (end === STOPPED) return STOPPED;
  const isSafe = end === whole && end - digits <= SAFE_DIGITS && !(scan.registry && digits > from);
  return isSafe ? end : judgeNumber(scan, from, end, end === whole);
}

function scanFraction(scan: Scan, at: number): number {
  return scan.bytes[at] === POINT ? scanDigits(scan, at + 1) : at;
}

function scanExponent(scan: Scan, at: number): number {
  if (at === STOPPED) return STOPPED;
  const { bytes } = scan;
  const mark = bytes[at];
  if (mark !== SMALL_E && mark !== CAPITAL_E) return at;
  const sign = bytes[at + 1];
  return scanDigits(scan, sign === PLUS || sign === MINUS ? at + 2 : at + 1);
}

function scanDigits(scan: Scan, from: number): number {
  const end = skipDigits(scan.bytes, from);
  return end > from ? end : stop(scan, "unparseable", end, "A digit was expected here.");
}

function skipDigits(bytes: Uint8Array, from: number): number {
  let at = from;
  let byte = bytes[at];
  while (byte !== undefined && byte >= DIGIT_0 && byte <= DIGIT_9) byte = bytes[++at];
  return at;
}

/** Refuses a number whose value a double would change beyond the rounding of a fraction. */
function judgeNumber(scan: Scan, from: number, end: number, isInteger: boolean): number {
  const token = scan.text.slice(from - scan.shift, end - scan.shift);
  const value = Number(token);
  if (!Number.isFinite(value))
    return stop(scan, "number_invalid", from, "A number here fits in a double.");
  if (isInteger && BigInt(token) !== BigInt(value)) {
    return stop(
      scan,
      "number_invalid",
      from,
      "An integer here is one that a double holds exactly.",
    );
  }
  if (value === 0 && /^[-0.]*[1-9]/.test(token)) {
    return stop(scan, "number_invalid", from, "A number other than zero does not round to zero.");
  }
  if (scan.registry && Object.is(value, -0)) {
    return stop(scan, "number_invalid", from, "Zero here has no minus sign.");
  }
  return end;
}
