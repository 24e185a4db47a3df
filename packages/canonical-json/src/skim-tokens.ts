const QUOTE = 0x22;
const MINUS = 0x2d;
const POINT = 0x2e;
const DIGIT_0 = 0x30;
const DIGIT_9 = 0x39;
const BACKSLASH = 0x5c;
const SMALL_D = 0x64;
const SMALL_E = 0x65;
const SMALL_U = 0x75;
/** The bit that makes a letter of ASCII small. */
const SMALL = 0x20;

/** Characters of a fraction that neither round to zero nor leave the range of a double. */
const MAX_FRACTION = 32;

/** What a `skimX` function answers in place of the next index where the exact scan has to judge. */
export const UNSURE = -1;

/**
 * The index after the string whose text begins at `from`. Unsure of what could spell a lone surrogate, and in a
 * registry of what could spell U+0000.
 */
export function skimString(bytes: Uint8Array, from: number, registry: boolean): number {
  let at = from;
  for (;;) {
    let byte = bytes[at++];
    while (byte !== QUOTE && byte !== BACKSLASH && byte !== undefined) byte = bytes[at++];
    if (byte === QUOTE) return at;
    if (byte === undefined) return UNSURE;
    if (bytes[at] === SMALL_U && isDelicate(bytes[at + 1], registry)) return UNSURE;
    at++;
  }
}

/** Whether a code unit whose first hexadecimal digit is this one may be a surrogate, or U+0000 in a registry. */
function isDelicate(digit: number | undefined, registry: boolean): boolean {
  return digit === undefined || (digit | SMALL) === SMALL_D || (registry && digit === DIGIT_0);
}

/**
 * The index after the number that begins at `from`. Sure of integers that every double holds and of short fractions;
 * in a registry not of what begins with a minus and a zero.
 */
export function skimNumber(bytes: Uint8Array, from: number, registry: boolean): number {
  const isNegative = bytes[from] === MINUS;
  let at = isNegative ? from + 1 : from;
  let value = 0;
  let byte = bytes[at];
  while (byte !== undefined && byte >= DIGIT_0 && byte <= DIGIT_9) {
    value = value * 10 + (byte - DIGIT_0); // exact up to 2^53, and never below it once beyond
    byte = bytes[++at];
  }
  if (value > Number.MAX_SAFE_INTEGER || (registry && isNegative && value === 0)) return UNSURE;
  if (byte === POINT) {
    do byte = bytes[++at];
    while (byte !== undefined && byte >= DIGIT_0 && byte <= DIGIT_9);
  }
  const isExponent = byte !== undefined && (byte | SMALL) === SMALL_E;
  return isExponent || at - from > MAX_FRACTION ? UNSURE : at;
}
