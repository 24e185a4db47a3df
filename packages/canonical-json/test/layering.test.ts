import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const src = join(import.meta.dirname, "../src");
const sources = readdirSync(src, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts"))
  .map((file): readonly [string, string] => [file, readFileSync(join(src, file), "utf8")]);

function withoutComments(source: string): string {
  return source.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, "");
}

/** What a source imports from, whatever the form of the import. */
function importsOf(source: string): readonly string[] {
  const forms = /(?:\bfrom\s*|\bimport\s*\(?\s*|\brequire\s*\(\s*)["'`]([^"'`]+)["'`]/g;
  return [...withoutComments(source).matchAll(forms)].map((match) => match[1] ?? "");
}

function foreignImports(source: string): readonly string[] {
  return importsOf(source).filter(
    (name) => name !== "node:crypto" && !/^\.\/[a-z0-9-]+\.ts$/.test(name),
  );
}

/** The ambient state that a source reads: clock, chance, process, network. */
function ambient(source: string): readonly string[] {
  const words =
    /\b(?:process|Date|Math\.random|performance|globalThis|fetch|setTimeout|randomBytes|randomUUID)\b/g;
  return [...withoutComments(source).matchAll(words)].map((match) => match[0]);
}

describe("the sources", () => {
  it("are found", () => {
    expect(sources.length).toBeGreaterThanOrEqual(10);
  });

  it("import only node:crypto and each other", () => {
    expect(
      sources.flatMap(([file, source]) => foreignImports(source).map((name) => [file, name])),
    ).toEqual([]);
    expect(sources.flatMap(([, source]) => importsOf(source)).length).toBeGreaterThanOrEqual(10);
  });

  it("read no clock, no chance, no process", () => {
    expect(
      sources.flatMap(([file, source]) => ambient(source).map((word) => [file, word])),
    ).toEqual([]);
  });
});

describe("the rules of this test", () => {
  it("see a planted import and a planted clock", () => {
    expect(
      foreignImports('import { a } from "node:fs";\nimport "zod";\nawait import("../x.ts")'),
    ).toEqual(["node:fs", "zod", "../x.ts"]);
    expect(ambient("new Date(); Math.random(); // process")).toEqual(["Date", "Math.random"]);
  });
});
