import { propertyRuns } from "@eve/config/property-runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeUtf8 } from "../src/decode-utf8.ts";
import { utf8 } from "./kit.ts";

/** What a decoder that throws makes of bytes; undefined where it throws. */
function strictly(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Bytes at the edges of well-formed sequences, so that chance makes whole ones and broken ones. */
const EDGES = "00 22 41 7f 80 8f 90 9f a0 bd bf c0 c1 c2 df e0 e1 ec ed ee ef f0 f1 f3 f4 f5 ff";
const edge = fc.constantFrom(...EDGES.split(" ").map((byte) => Number.parseInt(byte, 16)));
const bytes = fc
  .array(
    fc.oneof(
      edge.map((byte) => [byte]),
      fc.string({ unit: "binary" }).map((text) => [...utf8(text)]),
    ),
    {
      maxLength: 8,
    },
  )
  .map((parts) => Uint8Array.from(parts.flat()));

describe("bytes are decoded", () => {
  it.each([
    ["as they are", "a\u00e9\u8bb0😀\u0000"],
    ["with a byte order mark kept", "\ufeffa"],
    ["with a replacement character that was there", "a\ufffdb\ufffd"],
  ])("%s", (_title, text) => {
    expect(decodeUtf8(utf8(text))).toEqual({ ok: true, text });
  });

  it.each([
    ["a continuation alone", [0x41, 0x80], 1],
    ["a sequence cut short", [0x41, 0xe2, 0x82], 1],
    ["an overlong NUL", [0xc0, 0x80], 0],
    ["a surrogate", [0x41, 0x42, 0xed, 0xa0, 0x80], 2],
    ["a fault after a replacement character", [0xef, 0xbf, 0xbd, 0xff], 3],
  ])("up to %s, which no decoder replaces", (_title, broken, validBytes) => {
    expect(decodeUtf8(Uint8Array.from(broken))).toEqual({ ok: false, validBytes });
  });

  it("as a decoder does that throws, and the valid part is all that it would take", () => {
    const seen = { valid: 0, broken: 0 };
    fc.assert(
      fc.property(bytes, (input) => {
        const decoded = decodeUtf8(input);
        expect(decoded.ok ? decoded.text : undefined).toBe(strictly(input));
        seen[decoded.ok ? "valid" : "broken"]++;
        if (decoded.ok) return;
        expect(strictly(input.subarray(0, decoded.validBytes))).toBeDefined();
        expect(strictly(input.subarray(0, decoded.validBytes + 1))).toBeUndefined();
      }),
      { numRuns: propertyRuns(1000) },
    );
    expect(Math.min(seen.valid, seen.broken)).toBeGreaterThan(50);
  });
});
