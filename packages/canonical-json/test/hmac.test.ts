import { describe, expect, it } from "vitest";
import { equalDigests, hmacSha256 } from "../src/index.ts";
import { utf8 } from "./kit.ts";

const bytes = (length: number, value: number): Uint8Array => new Uint8Array(length).fill(value);

describe("hmacSha256", () => {
  // RFC 4231, section 4.
  it.each([
    [
      "case 1",
      bytes(20, 0x0b),
      utf8("Hi There"),
      "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7",
    ],
    [
      "case 2, a short key",
      utf8("Jefe"),
      utf8("what do ya want for nothing?"),
      "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
    ],
    [
      "case 3",
      bytes(20, 0xaa),
      bytes(50, 0xdd),
      "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe",
    ],
    [
      "case 6, a key longer than a block",
      bytes(131, 0xaa),
      utf8("Test Using Larger Than Block-Size Key - Hash Key First"),
      "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54",
    ],
  ])("answers RFC 4231's %s", (_title, key, message, expected) => {
    expect(hmacSha256(key, message)).toBe(expected);
  });
});

describe("equalDigests", () => {
  const digest = hmacSha256(bytes(32, 1), utf8("a"));

  it("finds a digest equal to itself", () => {
    expect(equalDigests(digest, digest.slice(0, 8) + digest.slice(8))).toBe(true);
  });

  it("finds it unequal to one that differs in any one digit", () => {
    for (let at = 0; at < digest.length; at += 1) {
      const other = digest.slice(0, at) + (digest[at] === "0" ? "1" : "0") + digest.slice(at + 1);
      expect(equalDigests(digest, other)).toBe(false);
    }
  });

  it.each([
    ["a beginning of it", digest.slice(0, 8)],
    ["a longer text", `${digest}0`],
    ["upper case", digest.toUpperCase()],
    ["no text", ""],
    ["as many characters of more bytes", "é".repeat(64)],
  ])("finds it unequal to %s", (_title, other) => {
    expect(equalDigests(digest, other)).toBe(false);
    expect(equalDigests(other, digest)).toBe(false);
  });

  it("finds nothing equal to nothing: an absent code proves nothing", () => {
    expect(equalDigests("", "")).toBe(false);
  });
});
