import { propertyRuns } from "@eve/config/property-runs";
import { afterEach, describe, expect, it, vi } from "vitest";

describe("how often a property runs", () => {
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  it.each([
    [undefined, 1000],
    ["1", 1000],
    ["100", 100_000],
  ])("is the usual number times EVE_PROPERTY_FACTOR: %s", (factor, runs) => {
    vi.stubEnv("EVE_PROPERTY_FACTOR", factor);
    expect(propertyRuns(1000)).toBe(runs);
  });

  it.each(["", "0", "-1", "1.5", "ten", "1e3", "100000"])(
    "is not guessed from what is no factor: %j",
    (factor) => {
      vi.stubEnv("EVE_PROPERTY_FACTOR", factor);
      expect(() => propertyRuns(1000)).toThrow(/EVE_PROPERTY_FACTOR/);
    },
  );
});
