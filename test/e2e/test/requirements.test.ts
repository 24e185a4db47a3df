import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { readCitations } from "../src/citations.ts";
import { REQUIREMENTS } from "../src/requirements.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));

describe("the requirements of ADR-0092", () => {
  test("have one id each", () => {
    expect(new Set(REQUIREMENTS.map(({ id }) => id)).size).toBe(REQUIREMENTS.length);
  });

  test("are cited by tests, and tests cite no id that does not exist", () => {
    const { files, cited, unknown } = readCitations(root);
    expect(files).toBeGreaterThan(20);
    expect(cited.size).toBeGreaterThan(20);
    expect(unknown).toEqual([]);
  });

  test("come from a decision that the repository holds, sections and all", () => {
    const decision = readFileSync(
      `${root}/docs/adr/0092-fail-closed-external-integration-registry.md`,
      "utf8",
    );
    for (const section of new Set(REQUIREMENTS.map((requirement) => requirement.section)))
      expect(decision).toContain(`## ${section}`);
  });
});
