import { describe, expect, it } from "vitest";
import { CanonicalJsonError, framedDigest, isSha256, sha256 } from "../src/index.ts";
import { utf8 } from "./kit.ts";

// Each literal was computed with `printf '<domain>\0<canonical JSON>' | sha256sum`.
const ABSENT = "386ecf5c66f716454fe88c501a8dbe7d96495c76752a110fb5a7a8840126057b";
const NULL = "ca22e5fbe99c91d669411640618d36af801b37e328a43499f66666287cd2c90b";
const EMPTY_STRING = "434485e48043baedba04bc4323a173e96fd55e7cb7eb5ea480350e0e3fa061ed";
const OBJECT = "81b9436e53603cc0181979ea2b3e34a4f0777b961e3634b2a9147e566fb5c817";
const OTHER_DOMAIN_NULL = "7909606401a00eb461c82ca09e98e9cd918ebb5b7023f38749f7a2c30b4acccf";

describe("framedDigest", () => {
  it("hashes the domain, U+0000 and the canonical form", () => {
    expect(framedDigest("eve/test/1", { b: true, a: [1, "é"] })).toBe(OBJECT);
  });

  it("tells absent, null and the empty string apart", () => {
    expect(framedDigest("eve/test/1", undefined)).toBe(ABSENT);
    expect(framedDigest("eve/test/1", null)).toBe(NULL);
    expect(framedDigest("eve/test/1", "")).toBe(EMPTY_STRING);
    expect(new Set([ABSENT, NULL, EMPTY_STRING]).size).toBe(3);
  });

  it("gives one value another digest in another domain", () => {
    expect(framedDigest("eve/test/2", null)).toBe(OTHER_DOMAIN_NULL);
  });

  it.each([
    ["an empty domain", "", "domain_invalid"],
    ["a domain with U+0000", "a\0b", "domain_invalid"],
    ["a domain with a lone surrogate", "a\uD800", "string_invalid"],
  ])("throws on %s: %s", (_, domain, code) => {
    expect(() => framedDigest(domain, null)).toThrow(expect.objectContaining({ code }));
  });
});

describe("sha256", () => {
  it("hashes bytes, and a text as its UTF-8", () => {
    expect(sha256("")).toBe("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    expect(sha256("é")).toBe("4a99557e4033c3539de2eb65472017cad5f9557f7a0625a09f1c3f6e2ba69c4c");
    expect(sha256(utf8("é"))).toBe(sha256("é"));
  });

  it("hashes only the bytes of a view", () => {
    expect(sha256(utf8("xéx").subarray(1, 3))).toBe(sha256("é"));
  });

  it("throws on a text that has no UTF-8: string_invalid", () => {
    expect(() => sha256("\uDC00")).toThrow(CanonicalJsonError);
  });
});

describe("isSha256", () => {
  it.each([
    ["64 lower-case digits", ABSENT, true],
    ["63 digits", ABSENT.slice(1), false],
    ["65 digits", `${ABSENT}0`, false],
    ["upper case", ABSENT.toUpperCase(), false],
    ["a line feed at the end", `${ABSENT}\n`, false],
    ["a prefix", `sha256:${ABSENT}`, false],
    ["nothing", "", false],
  ])("for %s: %s → %s", (_, text, answer) => {
    expect(isSha256(text)).toBe(answer);
  });
});
