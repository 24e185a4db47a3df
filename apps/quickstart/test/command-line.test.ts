import { describe, expect, it } from "vitest";
import { parseCommandLine } from "../src/command-line.ts";

describe("parseCommandLine", () => {
  it("takes no arguments as the run that ends with what to try next", () => {
    expect(parseCommandLine([])).toEqual({ ok: true, demo: false, json: false, help: false });
  });

  it("takes --demo and --json in any order", () => {
    expect(parseCommandLine(["--json", "--demo"])).toEqual({
      ok: true,
      demo: true,
      json: true,
      help: false,
    });
  });

  it.each([["--registry=elsewhere"], ["now"], ["--demo=yes"]])("refuses %s", (argument) => {
    expect(parseCommandLine([argument])).toMatchObject({ ok: false });
  });
});
