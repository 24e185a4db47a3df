import type { FileResult } from "@eve/mcp-guard/regular-file";
import { describe, expect, test } from "vitest";
import { followRegistry } from "../../src/program/registry-file.ts";
import { NOW } from "../test-app.ts";
import { registryBytes } from "../test-registry.ts";

describe("the registry beside the program", () => {
  test("is followed as it changes, and parsed once where it does not", () => {
    let file: FileResult = { bytes: registryBytes({ now: NOW }) };
    const registry = followRegistry(() => file);
    const first = registry();
    file = { bytes: registryBytes({ now: NOW }) };
    expect(registry()).toBe(first);
    file = { bytes: registryBytes({ now: NOW, sequence: 2 }) };
    expect(registry()).toMatchObject({ ok: true, registry: { sequence: 2 } });
  });

  test("is not overtaken by a buffer that is written to again", () => {
    const bytes = registryBytes({ now: NOW });
    const registry = followRegistry(() => ({ bytes }));
    expect(registry().ok).toBe(true);
    bytes.fill(0);
    expect(registry().ok).toBe(false);
  });

  test.each([
    ["missing", "registry.missing"],
    ["unreadable", "registry.unreadable"],
    ["not_regular", "registry.unreadable"],
    ["too_large", "registry.too_large"],
  ] as const)(
    "that is %s is refused, and followed again once it is put right: %s",
    (fault, code) => {
      let file: FileResult = { fault };
      const registry = followRegistry(() => file);
      expect(registry()).toMatchObject({
        ok: false,
        refusals: [{ code, subject: "registry.json" }],
      });
      file = { bytes: registryBytes({ now: NOW }) };
      expect(registry().ok).toBe(true);
    },
  );
});
