/** A program with one letter of one text changed. */
export interface Tampered {
  readonly bytes: Uint8Array;
  /** Where, in bytes. */
  readonly offset: number;
}

/** How many characters tell one place from another. */
const WINDOW = 24;

/**
 * Changes the case of one letter of `text` where a program holds it: same length, still UTF-8, still the same program
 * text otherwise. Takes a run of plain words that stands exactly once in the program and in none of `otherTexts`, so
 * that nothing else it serves changes. Undefined where there is no such run.
 */
export function changeOneLetter(
  program: Uint8Array,
  text: string,
  otherTexts: readonly string[],
): Tampered | undefined {
  const buffer = Buffer.from(program);
  for (let start = 0; start + WINDOW <= text.length; start += 1) {
    const words = text.slice(start, start + WINDOW);
    const letter = letterIn(words);
    if (letter === undefined || otherTexts.some((other) => other.includes(words))) continue;
    const place = soleIndex(buffer, words);
    if (place !== undefined) return changed(buffer, place + letter);
  }
  return undefined;
}

/** One hexadecimal digit of a digest changed: still a digest, of nothing. */
export function changeOneDigit(digest: string): string {
  return (digest.startsWith("0") ? "1" : "0") + digest.slice(1);
}

/** Index of the letter to change, from the middle on; undefined unless the words are plain ASCII that needs no escape. */
function letterIn(words: string): number | undefined {
  if (!/^[A-Za-z ,.]+$/.test(words)) return undefined;
  const found = words.slice(WINDOW / 2).search(/[A-Za-z]/);
  return found < 0 ? undefined : found + WINDOW / 2;
}

function soleIndex(buffer: Buffer, words: string): number | undefined {
  const first = buffer.indexOf(words);
  return first < 0 || buffer.includes(words, first + 1) ? undefined : first;
}

function changed(buffer: Buffer, offset: number): Tampered {
  const bytes = Uint8Array.from(buffer);
  bytes[offset] = (bytes[offset] ?? 0) ^ 0x20; // the bit between a and A
  return { bytes, offset };
}
