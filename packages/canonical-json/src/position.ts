const LINE_FEED = 0x0a;

/** Where a byte is: how many bytes lie before it, its line, and its column in code points; both from 1. */
export interface Position {
  readonly offset: number;
  readonly line: number;
  readonly column: number;
}

/** The position of the byte at `offset` in a document that is valid UTF-8 up to there. */
export function positionIn(bytes: Uint8Array, offset: number): Position {
  let line = 1;
  let column = 1;
  for (const byte of bytes.subarray(0, offset)) {
    if (byte === LINE_FEED) {
      line++;
      column = 1;
    } else if (!isContinuation(byte)) {
      column++;
    }
  }
  return { offset, line, column };
}

function isContinuation(byte: number): boolean {
  return byte >= 0x80 && byte < 0xc0;
}
