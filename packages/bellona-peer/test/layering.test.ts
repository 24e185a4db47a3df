import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const SOURCE = fileURLToPath(new URL("../src/", import.meta.url));
const files = readdirSync(SOURCE).map((name) => ({
  name,
  text: readFileSync(join(SOURCE, name), "utf8"),
}));

describe("the measured side does not know its judge", () => {
  it("imports none of ours but canonical-json", () => {
    expect(files.length).toBeGreaterThan(10);
    const ours = files.flatMap(({ text }) => text.match(/"@eve\/[^"]+"/g) ?? []);
    expect(new Set(ours)).toEqual(new Set(['"@eve/canonical-json"']));
  });

  it("reads the environment, the clock and files in bin.ts alone", () => {
    const edges = files.filter(({ text }) => /process\.|Date\.now|new Date\(\)|node:fs/.test(text));
    expect(edges.map(({ name }) => name)).toEqual(["bin.ts"]);
  });
});
