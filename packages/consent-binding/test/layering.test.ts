import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const SRC = join(import.meta.dirname, "..", "src");
const files = readdirSync(SRC, { recursive: true, encoding: "utf8" }).filter((name) =>
  name.endsWith(".ts"),
);
const read = (name: string): string => readFileSync(join(SRC, name), "utf8");
/** A source without its comments, which may speak of what the code does not do. */
const withoutComments = (source: string): string =>
  source.replaceAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, "");
const importsOf = (source: string): readonly string[] =>
  [...withoutComments(source).matchAll(/\bfrom\s+"([^"]+)"|\bimport\s*\(?\s*"([^"]+)"/g)].map(
    (match) => match[1] ?? match[2] ?? "",
  );
const foreignIn = (source: string): readonly string[] =>
  importsOf(source).filter(
    (from) =>
      !["@eve/canonical-json", "@eve/registry-schema", "zod"].includes(from) &&
      !/^(\.|\.\.|\.\/testing)\/[a-z-]+\.ts$/.test(from),
  );

const AMBIENT =
  /\b(process|performance|Math\.random|Date|globalThis|require|fetch|setTimeout|console|navigator|Intl|localStorage|Temporal|crypto)\b/;
const ambientIn = (source: string): string | undefined =>
  AMBIENT.exec(withoutComments(source))?.[0];

describe("this package is pure", () => {
  it("has files to look at", () => {
    expect(files.length).toBeGreaterThan(20);
    expect(files.flatMap((name) => importsOf(read(name))).length).toBeGreaterThan(40);
  });

  it.each(files)("%s imports its own files, strict JSON, the contract and zod alone", (name) => {
    expect(foreignIn(read(name))).toEqual([]);
  });

  it.each(files)("%s reads no clock, calendar, environment, network or chance", (name) => {
    expect(ambientIn(read(name))).toBeUndefined();
  });

  it("makes proofs of consumed approvals for stores alone", () => {
    const makers = files.filter((name) =>
      /\bmakeConsumedApproval\b/.test(withoutComments(read(name))),
    );
    expect(makers.toSorted()).toEqual([
      "consumed-approval.ts",
      "store.ts",
      "testing/memory-consent-store.ts",
    ]);
  });

  it("is never built on its test support", () => {
    const users = files.filter((name) =>
      importsOf(read(name)).some((from) => from.startsWith("./testing")),
    );
    expect(users).toEqual(["testing.ts"]);
  });

  it.each([
    'import { admit } from "@eve/trust-admission";',
    'import { createHmac } from "node:crypto";',
    'import pg from "pg";',
    'const late = await import("node:fs");',
  ])("would notice %s", (planted) => {
    expect(foreignIn(planted)).toHaveLength(1);
  });

  it.each(["const t = Date.now();", "process.env", "Math.random()", "crypto.randomUUID()"])(
    "would notice %s",
    (planted) => {
      expect(ambientIn(planted)).toBeDefined();
    },
  );
});
