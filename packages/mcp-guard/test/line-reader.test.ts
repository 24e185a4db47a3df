import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createLineReader } from "../src/index.ts";
import { text, utf8 } from "./kit.ts";

/** The lines and the fault of a stream that comes in these chunks. */
function read(
  chunks: readonly Uint8Array[],
  max = 64,
): { lines: string[]; fault: string | undefined } {
  const reader = createLineReader(max);
  const batches = chunks.map((chunk) => reader.push(chunk));
  return {
    lines: batches.flatMap((batch) => batch.lines.map(text)),
    fault: batches.find((batch) => batch.fault !== undefined)?.fault,
  };
}

function whole(source: string, max?: number): ReturnType<typeof read> {
  return read([utf8(source)], max);
}

describe("line reader", () => {
  it("answers each line without its newline, empty ones too", () => {
    expect(whole("a\n\nbc\n")).toEqual({ lines: ["a", "", "bc"], fault: undefined });
  });

  it("holds back what has no newline yet", () => {
    expect(whole("a\nrest")).toEqual({ lines: ["a"], fault: undefined });
  });

  it("takes CR directly before LF as part of the newline", () => {
    expect(whole("a\r\nb\r\n")).toEqual({ lines: ["a", "b"], fault: undefined });
    expect(read([utf8("a\r"), utf8("\nb\n")])).toEqual({ lines: ["a", "b"], fault: undefined });
  });

  it.each(["a\rb\n", "\r\r\n", "a\n\rb\n"])(
    "refuses a CR that no LF follows, %j: bare_cr",
    (source) => {
      expect(whole(source).fault).toBe("bare_cr");
    },
  );

  it("answers the lines before the fault, and nothing after it", () => {
    const reader = createLineReader(64);
    expect(reader.push(utf8("good\nb\rd\nlate\n")).lines.map(text)).toEqual(["good"]);
    expect(reader.push(utf8("later\n"))).toEqual({ lines: [], fault: "bare_cr" });
  });

  it("takes a line of exactly the limit, and refuses one byte more: line_too_long", () => {
    expect(whole("12345678\n", 8)).toEqual({ lines: ["12345678"], fault: undefined });
    expect(whole("123456789\n", 8)).toEqual({ lines: [], fault: "line_too_long" });
    expect(whole("123456789", 8)).toEqual({ lines: [], fault: "line_too_long" });
  });

  it("counts a CR before LF as a byte of the line", () => {
    expect(whole("1234567\r\n", 8).lines).toEqual(["1234567"]);
    expect(whole("12345678\r\n", 8).fault).toBe("line_too_long");
  });

  it("never holds more than the limit while no newline comes (SR-08)", () => {
    const reader = createLineReader(1000);
    const held = Array.from({ length: 5000 }, () => {
      reader.push(utf8("xyz"));
      return reader.pendingBytes();
    });
    expect(Math.max(...held)).toBeLessThanOrEqual(1000);
  });

  it("answers lines that later chunks do not change, though the chunk's memory is reused", () => {
    const chunk = utf8("one\n");
    const [line = new Uint8Array()] = createLineReader(64).push(chunk).lines;
    chunk.fill(0);
    expect(text(line)).toBe("one");
  });

  it("answers the same lines and the same fault however the stream is cut into chunks", () => {
    const byte = fc.constantFrom(0x0a, 0x0d, 0x61, 0xc3, 0x00);
    const bytes = fc.uint8Array({ maxLength: 60 }).chain(() => fc.array(byte, { maxLength: 60 }));
    const cuts = fc.array(fc.nat(60), { maxLength: 12 });
    fc.assert(
      fc.property(bytes, cuts, fc.integer({ min: 0, max: 12 }), (source, at, max) => {
        const stream = Uint8Array.from(source);
        const ends = [...at.filter((cut) => cut <= stream.length), stream.length].toSorted(
          (a, b) => a - b,
        );
        const chunks = ends.map((end, index) => stream.subarray(ends[index - 1] ?? 0, end));
        const bytewise = [...stream].map((one) => Uint8Array.of(one));
        expect(read(chunks, max)).toEqual(read([stream], max));
        expect(read(bytewise, max)).toEqual(read([stream], max));
      }),
      { numRuns: 2000 },
    );
  });
});
