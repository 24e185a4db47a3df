import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createEventReader } from "../src/event-reader.ts";
import { text, utf8 } from "./kit.ts";

function read(stream: string, maxBytes = 1024): { events: readonly string[]; fault: unknown } {
  const { events, fault } = createEventReader(maxBytes).push(utf8(stream));
  return { events: events.map(text), fault };
}

describe("server-sent events", () => {
  it.each([
    ["one line of data", "data: {}\n\n", ["{}"]],
    ["no space after the colon", "data:{}\n\n", ["{}"]],
    ["only the first space is dropped", "data:  {}\n\n", [" {}"]],
    ["CRLF", "event: message\r\ndata: {}\r\n\r\n", ["{}"]],
    ["lines of data joined by LF", "data: [\ndata: ]\n\n", ["[\n]"]],
    ["comments, ids and retries beside it", ": hi\nid: 1\nretry: 5\ndata: {}\n\n", ["{}"]],
    ["a priming event without data", "id: 1\ndata:\n\ndata: {}\n\n", ["{}"]],
    ["an event of another name", "event: ping\ndata: {}\n\ndata: []\n\n", ["[]"]],
    ["an event that never ended", "data: {}\n", []],
    ["two events", "data: 1\n\ndata: 2\n\n", ["1", "2"]],
  ])("reads %s", (_, stream, events) => {
    expect(read(stream)).toEqual({ events, fault: undefined });
  });

  it.each([
    ["a bare CR", "data: {}\rdata: []\n\n", "bare_cr"],
    ["a byte order mark", "\u{FEFF}data: {}\n\n", "byte_order_mark"],
    ["a line that is too long", `data: ${"x".repeat(32)}\n\n`, "line_too_long"],
    ["data that is too long over many lines", "data: 12345678\n".repeat(5), "event_too_long"],
    ["empty lines of data without end", "data\n".repeat(64), "event_too_long"],
  ])("refuses %s", (_, stream, fault) => {
    const reader = createEventReader(32);
    expect(reader.push(utf8(stream))).toEqual({ events: [], fault });
    expect(reader.push(utf8("data: {}\n\n"))).toEqual({ events: [], fault });
  });

  it("reads the same however the stream is cut", () => {
    const bytes = utf8(": a\r\ndata: [1,\r\ndata: 2]\r\n\r\nevent: ping\ndata: 3\n\ndata: é\n\n");
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 60 }), (sizes) => {
        const reader = createEventReader(64);
        const events: string[] = [];
        let at = 0;
        for (const size of [...sizes, bytes.length]) {
          events.push(...reader.push(bytes.subarray(at, at + size)).events.map(text));
          at += size;
        }
        expect(events).toEqual(["[1,\n2]", "é"]);
      }),
    );
  });
});
