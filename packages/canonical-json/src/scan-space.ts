const TAB = 0x09;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;

/** The index of the first byte at or after `from` that is not RFC 8259 white space. */
export function skipSpace(bytes: Uint8Array, from: number): number {
  let at = from;
  let byte = bytes[at];
  while (byte !== undefined && byte <= SPACE && isSpace(byte)) byte = bytes[++at];
  return at;
}

function isSpace(byte: number): boolean {
  return byte === SPACE || byte === LINE_FEED || byte === CARRIAGE_RETURN || byte === TAB;
}
