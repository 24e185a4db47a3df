const LF = 0x0a;
const CR = 0x0d;

/** Why a byte stream is not lines: more than the allowed bytes without a newline, or a CR that no LF follows. */
export type LineFault = "line_too_long" | "bare_cr";

/** The lines a chunk completed, and the fault that ended the reading, if one did. */
export interface LineBatch {
  /** Complete lines in order, without LF or CRLF; each is a copy of its own. */
  readonly lines: readonly Uint8Array[];
  readonly fault: LineFault | undefined;
}

/** Cuts a byte stream into lines. */
export interface LineReader {
  /** Takes the next chunk, of any size. After a fault it answers that fault alone. */
  push(chunk: Uint8Array): LineBatch;
  /** Bytes held of a line whose newline has not come; never more than the limit. */
  pendingBytes(): number;
}

/**
 * Reads newline-delimited bytes with memory bounded by `maxLineBytes` (of one line, its CR included, its LF not),
 * however small the chunks. A CR is refused except directly before LF: other parsers end a line there, and would
 * read a second message where this one reads one. How the stream is cut into chunks changes nothing.
 */
export function createLineReader(maxLineBytes: number): LineReader {
  const line = createLineBuffer();
  let fault: LineFault | undefined;

  return {
    pendingBytes: () => line.length(),
    push(chunk) {
      const lines: Uint8Array[] = [];
      let start = 0;
      while (fault === undefined && start < chunk.length) {
        const newline = chunk.indexOf(LF, start);
        const piece = chunk.subarray(start, newline === -1 ? chunk.length : newline);
        fault = faultOf(line.length(), line.endsInCr(), piece, maxLineBytes);
        if (fault !== undefined) break;
        line.append(piece);
        if (newline === -1) break;
        lines.push(line.take());
        start = newline + 1;
      }
      return { lines, fault };
    },
  };
}

/** The fault that a reader of single bytes would meet first, so that chunking cannot choose between two. */
function faultOf(
  held: number,
  heldEndsInCr: boolean,
  piece: Uint8Array,
  max: number,
): LineFault | undefined {
  const isTooLong = held + piece.length > max;
  if (piece.length > 0 && heldEndsInCr) return "bare_cr";
  const cr = piece.indexOf(CR);
  const isBare = cr !== -1 && cr < piece.length - 1;
  if (isBare && held + cr < max) return "bare_cr";
  return isTooLong ? "line_too_long" : undefined;
}

interface LineBuffer {
  length(): number;
  endsInCr(): boolean;
  append(piece: Uint8Array): void;
  take(): Uint8Array;
}

/** One buffer that doubles: a list of chunks would hold each chunk's memory, and be unbounded for chunks of one byte. */
function createLineBuffer(): LineBuffer {
  let bytes = new Uint8Array(0);
  let length = 0;
  const endsInCr = (): boolean => length > 0 && bytes[length - 1] === CR;
  return {
    length: () => length,
    endsInCr,
    append(piece) {
      if (length + piece.length > bytes.length) {
        const grown = new Uint8Array(Math.max(length + piece.length, bytes.length * 2, 1024));
        grown.set(bytes.subarray(0, length));
        bytes = grown;
      }
      bytes.set(piece, length);
      length += piece.length;
    },
    take() {
      const line = bytes.slice(0, endsInCr() ? length - 1 : length);
      bytes = new Uint8Array(0);
      length = 0;
      return line;
    },
  };
}
