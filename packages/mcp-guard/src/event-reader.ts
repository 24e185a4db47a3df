import { createLineReader, type LineFault } from "./line-reader.ts";

/** Why a byte stream is no server-sent events of ours: a line's fault, one event's data too long, a byte order mark. */
type EventFault = LineFault | "event_too_long" | "byte_order_mark";

/** The data of the events a chunk completed, and the fault that ended the reading, if one did. */
interface EventBatch {
  /** The exact data bytes of each message event in order, its lines joined by LF; each is a copy of its own. */
  readonly events: readonly Uint8Array[];
  readonly fault: EventFault | undefined;
}

/** Cuts a byte stream into the data of server-sent events. */
export interface EventReader {
  /** Takes the next chunk, of any size. After a fault it answers that fault alone. */
  push(chunk: Uint8Array): EventBatch;
}

const COLON = 0x3a;
const SPACE = 0x20;
const LF = 0x0a;
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

/**
 * Reads `text/event-stream` (WHATWG HTML, 9.2) as MCP clients do: only events without a name or named `message`, and
 * only those with data. Stricter than the standard: no byte order mark, and no CR but before LF, since readers differ
 * there. Memory is bounded by `maxBytes` of one line and of one event's data, however small the chunks.
 */
export function createEventReader(maxBytes: number): EventReader {
  const lines = createLineReader(maxBytes);
  let fault: EventFault | undefined;
  let isFirstLine = true;
  let data: Uint8Array[] = [];
  let length = 0;
  let isMessage = true;

  const endEvent = (): readonly Uint8Array[] => {
    const event = isMessage && length > 0 ? [joined(data, length)] : [];
    data = [];
    length = 0;
    isMessage = true;
    return event;
  };
  const onField = (line: Uint8Array): void => {
    const { name, value } = fieldOf(line);
    if (name === "event") {
      const named = new TextDecoder().decode(value);
      isMessage = named === "" || named === "message";
    } else if (name === "data") {
      // A newline joins this line to the one before.
      length += value.length + (data.length > 0 ? 1 : 0);
      data.push(value);
      if (length > maxBytes || data.length > maxBytes) fault = "event_too_long";
    }
  };
  const onLine = (line: Uint8Array): readonly Uint8Array[] => {
    if (isFirstLine && BYTE_ORDER_MARK.every((byte, i) => line[i] === byte))
      fault = "byte_order_mark";
    isFirstLine = false;
    if (line.length === 0) return endEvent();
    onField(line);
    return [];
  };

  return {
    push(chunk) {
      if (fault !== undefined) return { events: [], fault };
      const batch = lines.push(chunk);
      const events: Uint8Array[] = [];
      for (const line of batch.lines) {
        if (fault !== undefined) break;
        events.push(...onLine(line));
      }
      fault ??= batch.fault;
      return { events, fault };
    },
  };
}

/** A comment (a line that begins with a colon) has the name "". One space after the colon is no part of the value. */
function fieldOf(line: Uint8Array): { name: string; value: Uint8Array } {
  const colon = line.indexOf(COLON);
  const name = new TextDecoder().decode(colon === -1 ? line : line.subarray(0, colon));
  if (colon === -1) return { name, value: new Uint8Array(0) };
  const start = line[colon + 1] === SPACE ? colon + 2 : colon + 1;
  return { name, value: line.subarray(start) };
}

function joined(lines: readonly Uint8Array[], length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let at = 0;
  lines.forEach((line, i) => {
    if (i > 0) bytes[at++] = LF;
    bytes.set(line, at);
    at += line.length;
  });
  return bytes;
}
