import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const SRC = join(import.meta.dirname, "..", "src");
const files = readdirSync(SRC, { recursive: true, encoding: "utf8" }).filter((name) =>
  name.endsWith(".ts"),
);
/** The source without its comments, which may speak of what the code does not do. */
const code = (name: string): string =>
  readFileSync(join(SRC, name), "utf8").replaceAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, "");
const importsOf = (name: string): readonly string[] =>
  [...code(name).matchAll(/\bfrom\s+"([^"]+)"|\bimport\s*\(?\s*"([^"]+)"/g)].map(
    (match) => match[1] ?? match[2] ?? "",
  );

// The last parses regular expressions, and nothing else.
const ALLOWED = [
  "@cfworker/json-schema",
  "@eslint-community/regexpp",
  "@eve/canonical-json",
  "@eve/registry-schema",
];
const AMBIENT =
  /\b(process|performance|Math\.random|Date|globalThis|require|fetch|setTimeout|console|navigator|Intl|localStorage|Temporal)\b/;

describe("this package is pure", () => {
  it("has files to look at", () => {
    expect(files.length).toBeGreaterThan(10);
    expect(files.flatMap(importsOf).length).toBeGreaterThan(20);
  });

  it.each(files)("%s imports only its own files, the strict parser and the contract", (name) => {
    const foreign = importsOf(name).filter(
      (from) => !ALLOWED.includes(from) && !/^\.{1,2}\/[a-z./-]+\.ts$/.test(from),
    );
    expect(foreign).toEqual([]);
  });

  it.each(files)("%s reads no clock, calendar, environment, network or chance", (name) => {
    expect(AMBIENT.exec(code(name))?.[0]).toBeUndefined();
  });

  it("makes admissions in admit.ts alone", () => {
    expect(files.filter((name) => /\bmakeAdmission\b/.test(code(name))).toSorted()).toEqual([
      "admission.ts",
      "admit.ts",
    ]);
    expect(code("index.ts")).not.toContain("makeAdmission");
  });

  it.each([
    "const t = Date.now();",
    "new Date()",
    "process.env",
    "Math.random()",
    "performance.now()",
  ])("would notice %s", (planted) => {
    expect(AMBIENT.test(planted)).toBe(true);
  });
});
