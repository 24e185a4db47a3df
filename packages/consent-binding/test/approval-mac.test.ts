import { approvalMac, ConsentError, verifyApprovalMac } from "@eve/consent-binding";
import { describe, expect, it } from "vitest";
import { instant, KEY } from "./kit.ts";

// `printf 'eve/approval/1\\0{"approver":"olga","at":"2026-12-01T12:05:00Z","digest":"…"}' | openssl dgst -sha256 -mac HMAC -macopt hexkey:000102…1f`
const FACTS = {
  digest: "8bbce9ac9a1de3262c593a66d6588deee4e7ad0f22c938132c844f2aac345ed0",
  approver: "olga",
  at: instant("2026-12-01T12:05:00Z"),
};
const MAC = "f59f33853ac907f08b7df14299845b386244816a24d21e36ffaa85611d4a58e2";

describe("the code of an approval", () => {
  it("is HMAC-SHA256 over its domain, a zero byte and the facts", () => {
    expect(approvalMac(KEY, FACTS)).toBe(MAC);
  });

  it("verifies these facts under this key", () => {
    expect(verifyApprovalMac(KEY, FACTS, MAC)).toBe(true);
  });

  it.each([
    ["another digest", { ...FACTS, digest: `0${FACTS.digest.slice(1)}` }],
    ["another approver", { ...FACTS, approver: "otto" }],
    ["another case of the approver", { ...FACTS, approver: "Olga" }],
    ["a millisecond later", { ...FACTS, at: instant("2026-12-01T12:05:00.001Z") }],
  ])("does not verify %s", (_title, facts) => {
    expect(verifyApprovalMac(KEY, facts, MAC)).toBe(false);
  });

  it.each([
    ["its first eight digits", MAC.slice(0, 8)],
    ["its first eight digits and others", MAC.slice(0, 8) + "0".repeat(56)],
    ["upper case", MAC.toUpperCase()],
    ["more digits", `${MAC}00`],
    ["nothing", ""],
  ])("is not %s", (_title, mac) => {
    expect(verifyApprovalMac(KEY, FACTS, mac)).toBe(false);
  });

  it("is another under another key", () => {
    expect(verifyApprovalMac(KEY.toReversed(), FACTS, MAC)).toBe(false);
  });

  it("is not that of the facts written into each other", () => {
    const shifted = { ...FACTS, approver: `olga","at":"${FACTS.at}` };
    expect(approvalMac(KEY, shifted)).not.toBe(MAC);
  });

  it.each([31, 16, 0])("is not made under a key of %i bytes: key.too_short", (length) => {
    const make = (): string => approvalMac(KEY.slice(0, length), FACTS);
    expect(make).toThrow(ConsentError);
    expect(make).toThrow(expect.objectContaining({ code: "key.too_short" }));
  });
});
