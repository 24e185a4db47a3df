import { CATALOGUE } from "@eve/registry-schema";
import {
  type StoreHarness,
  consentStoreContract,
  memoryHarness,
} from "@eve/consent-binding/testing";
import { describe, expect, it } from "vitest";
import { BROKEN_STORES } from "./broken-stores.ts";

const CASES = consentStoreContract(memoryHarness);

describe("the model of a consent store", () => {
  it.each(CASES)("$title", async ({ run }) => {
    await expect(run()).resolves.toBeUndefined();
  });
});

describe("the contract of a consent store", () => {
  it("has cases with titles of their own, and says what they need", () => {
    expect(new Set(CASES.map(({ title }) => title)).size).toBe(CASES.length);
    expect(CASES.filter(({ needs }) => needs === undefined).length).toBeGreaterThan(30);
    expect(CASES.filter(({ needs }) => needs === "lapse").length).toBeGreaterThanOrEqual(3);
    expect(CASES.filter(({ needs }) => needs === "tamper").length).toBeGreaterThanOrEqual(5);
  });

  it("asks for every consent code but the one that a call without a consent gets", () => {
    const answered = Object.keys(CATALOGUE).filter((code) => code.startsWith("consent."));
    const titles = CASES.map(({ title }) => title).join("\n");
    expect(answered.filter((code) => !titles.includes(code))).toEqual(["consent.required"]);
  });

  it("fails rather than skips a case whose need the harness does not meet", async () => {
    const [lapse] = consentStoreContract(withoutLapse).filter(({ needs }) => needs === "lapse");
    await expect(lapse?.run()).rejects.toThrow("the harness cannot lapse");
  });

  it.each(BROKEN_STORES)("notices %s", async (_title, breakIt, atLeast) => {
    const broken = async (): Promise<StoreHarness> => {
      const harness = await memoryHarness();
      return { ...harness, store: breakIt(harness.store) };
    };
    const runs = consentStoreContract(broken).map(({ run }) => run());
    const failed = (await Promise.allSettled(runs)).filter(({ status }) => status === "rejected");
    expect(failed.length).toBeGreaterThanOrEqual(atLeast);
  });
});

async function withoutLapse(): Promise<StoreHarness> {
  const { lapse: _, ...rest } = await memoryHarness();
  return rest;
}
