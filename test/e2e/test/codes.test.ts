import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { CATALOGUE } from "@eve/registry-schema";
import { describe, expect, test } from "vitest";

const root = fileURLToPath(new URL("../../..", import.meta.url));
/** Tests that name every code whatever produces it: they prove nothing about a cause. */
const NAMES_ALL = /catalogue|codes\.test/;

const tests = globSync("{packages,apps,registry,test}/{test,*/test}/**/*.ts", { cwd: root }).filter(
  (file) => !NAMES_ALL.test(file),
);
const texts = tests.map((file) => readFileSync(join(root, file), "utf8"));
const sources = globSync("{packages,apps,registry}/{src,*/src}/**/*.ts", { cwd: root })
  .filter((file) => !file.endsWith("refusal-table.ts") && !file.endsWith("entry-leaves.ts"))
  .map((file) => readFileSync(join(root, file), "utf8"));

/** Codes that source makes from a part and a cause, such as `${part}.expired`. */
const isMadeFromParts = (code: string): boolean =>
  /^(registry|health|evaluation|review)\./.test(code);

describe("every code of the catalogue (ADR-0092-221, ADR-0092-401)", () => {
  test("reads enough files to mean something", () => {
    expect(texts.length).toBeGreaterThan(30);
    expect(sources.length).toBeGreaterThan(60);
  });

  test.each(Object.keys(CATALOGUE))("%s is asserted by a test of its cause", (code) => {
    expect(texts.some((text) => text.includes(code))).toBe(true);
  });

  test.each(Object.keys(CATALOGUE).filter((code) => !isMadeFromParts(code)))(
    "%s is answered by source",
    (code) => {
      expect(
        sources.some((text) => text.includes(`"${code}"`) || text.includes(`\`${code}\``)),
      ).toBe(true);
    },
  );
});
