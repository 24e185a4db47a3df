import { afterEach, describe, expect, it, vi } from "vitest";
import { missingNote, runsAgainst, sharedFolder } from "@eve/config/shared-folder";

const missing = "/no/such/folder";

describe("tests against a shared folder", () => {
  afterEach(() => {
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
  });

  it("look where EVE_SHARED_DIR says", () => {
    vi.stubEnv("EVE_SHARED_DIR", missing);
    expect(sharedFolder("vectors").replaceAll("\\", "/")).toBe("/no/such/folder/vectors");
  });

  it("look beside the project otherwise", () => {
    vi.stubEnv("EVE_SHARED_DIR", "");
    expect(sharedFolder("vectors").replaceAll("\\", "/")).toMatch(/\/shared\/vectors$/);
  });

  it("run, and so fail, under CI where the folder is missing", () => {
    vi.stubEnv("CI", "true");
    expect(runsAgainst(missing)).toBe(true);
  });

  it("say elsewhere that they did not run", () => {
    vi.stubEnv("CI", "");
    expect(runsAgainst(missing)).toBe(false);
    const warn = vi.spyOn(console, "warn").mockReturnValue();
    expect(missingNote(missing)).toBe(" (NOT RUN: no folder /no/such/folder)");
    expect(warn).toHaveBeenCalledOnce();
  });
});
