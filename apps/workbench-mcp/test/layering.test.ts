import { readFileSync, readdirSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

const SRC = fileURLToPath(new URL("../src", import.meta.url));
const FILES: readonly string[] = readdirSync(SRC, { recursive: true, encoding: "utf8" }).filter(
  (file) => file.endsWith(".ts"),
);
const source = (file: string): string => readFileSync(resolve(SRC, file), "utf8");
const imports = (file: string): readonly string[] =>
  Array.from(source(file).matchAll(/ from "([^"]+)"/g), ([, specifier = ""]) => specifier);

/** The files of this package that `entry` reaches, and the packages they name. */
function graph(entry: string, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(entry)) return seen;
  seen.add(entry);
  for (const specifier of imports(entry)) {
    if (specifier.startsWith(".")) graph(resolve("/", dirname(entry), specifier).slice(1), seen);
    else seen.add(specifier);
  }
  return seen;
}

describe("the module graph", () => {
  test("finds the files it judges", () => {
    expect(FILES.length).toBeGreaterThan(30);
    expect(graph("main.ts").size).toBeGreaterThan(30);
  });

  test.each(["main.ts", "surface-server.ts"])(
    "of %s holds no registry: the program obeys the file beside it",
    (entry) => {
      const reached = graph(entry);
      expect(reached).not.toContain("@eve/registry");
      expect(reached).not.toContain("trust.ts");
      expect(reached).toContain("@eve/registry-schema");
    },
  );

  test("of surface-server.ts holds neither credential nor network", () => {
    const reached = graph("surface-server.ts");
    for (const file of [
      "credential.ts",
      "bff-client.ts",
      "bounded-json.ts",
      "call-handler.ts",
      "node:http",
      "node:net",
    ])
      expect(reached).not.toContain(file);
  });

  test("reaches every file from one of its three doors", () => {
    const reached = new Set([
      ...graph("main.ts"),
      ...graph("surface-server.ts"),
      ...graph("trust.ts"),
    ]);
    expect(FILES.filter((file) => !reached.has(file))).toEqual([]);
  });

  test("takes environment, clock, arguments and exit in the two programs alone", () => {
    const ambient = /\bprocess\.(?!exitCode\b)|\bDate\.now\b|new Date\(\)|\bperformance\.now\b/;
    expect(
      FILES.filter((file) =>
        ambient.test(source(file).replaceAll(/\/\*\*[^]*?\*\//g, "")),
      ).toSorted(),
    ).toEqual(["main.ts", "surface-server.ts"]);
  });

  test.each([
    "runtime.ts",
    "credential.ts",
    "placeholder.ts",
    "risk-classes.ts",
    "protocol-era.ts",
    "identity.ts",
    "answers.ts",
  ])("keeps %s pure: no node: module", (file) => {
    expect([...graph(file)].filter((reached) => reached.startsWith("node:"))).toEqual([]);
  });
});
