import { readFileSync, readdirSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

const SRC = fileURLToPath(new URL("../src", import.meta.url));
const FILES: readonly string[] = readdirSync(SRC, { recursive: true, encoding: "utf8" }).filter(
  (file) => file.endsWith(".ts"),
);
const source = (file: string): string => readFileSync(resolve(SRC, file), "utf8");
const imports = (file: string): readonly string[] =>
  Array.from(source(file).matchAll(/ from "([^"]+)"/g), ([, specifier = ""]) => specifier);

describe("the module graph", () => {
  test("finds the files it judges", () => {
    expect(FILES.length).toBeGreaterThan(50);
  });

  test("takes environment, clock, arguments and exit in main.ts alone", () => {
    const ambient = /\bprocess\.|\bDate\.now\b|new Date\(\)|\bperformance\.now\b/;
    const found = FILES.filter((file) =>
      ambient.test(source(file).replaceAll(/\/\*\*[^]*?\*\//g, "")),
    );
    expect(found).toEqual(["main.ts"]);
  });

  test("holds no registry: the program obeys the file beside it", () => {
    expect(FILES.flatMap(imports)).not.toContain("@eve/registry");
  });

  test("keeps pages free of the database, and tools of HTTP", () => {
    const typesOnly = /import type [^;]+;/g;
    const runtime = (folder: string): readonly string[] =>
      FILES.filter((file) => file.startsWith(folder)).flatMap((file) =>
        Array.from(
          source(file)
            .replaceAll(typesOnly, "")
            .matchAll(/ from "([^"]+)"/g),
          ([, specifier = ""]) => specifier,
        ),
      );
    expect(runtime("page/").length).toBeGreaterThan(5);
    expect(runtime("page/").filter((one) => /fastify|database|\/http\//.test(one))).toEqual([]);
    expect(runtime("tools/").length).toBeGreaterThan(5);
    expect(runtime("tools/").filter((one) => /fastify|\/http\//.test(one))).toEqual([]);
  });
});
