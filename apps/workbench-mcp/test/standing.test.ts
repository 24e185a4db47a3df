import { describe, expect, test } from "vitest";
import { sha256 } from "@eve/canonical-json";
import { judgeStanding } from "@eve/trust-admission";
import { type SelfFacts, observeSelf } from "../src/standing.ts";
import { NOW, goodEntry, parsed, registryBytes } from "./good-registry.ts";

const ARTIFACT = Buffer.from("the running file");
const SELF: SelfFacts = {
  sourceSha256: "a".repeat(64),
  artifact: ARTIFACT,
  execPath: "/usr/bin/node",
  argv: ["/usr/bin/node", "/opt/eve/dist/main.js"],
};

async function codes(change: Partial<SelfFacts>): Promise<readonly string[]> {
  const entry = await goodEntry();
  const source = {
    path: "apps/workbench-mcp",
    version: "1.0.0",
    sha256: "a".repeat(64),
    artifacts: [{ path: "dist/main.js", sha256: sha256(ARTIFACT) }],
  };
  return judgeStanding(
    parsed(registryBytes([{ ...entry, source }])),
    observeSelf({ ...SELF, ...change }),
    NOW,
  ).map(({ code }) => code);
}

describe("observeSelf", () => {
  test("is admitted as built and launched by the entry", async () =>
    expect(await codes({})).toEqual([]));
  test("is admitted on Windows, where node has an ending", async () =>
    expect(await codes({ execPath: "/x/node.exe" })).toEqual([]));
  test("is refused when run from source: source.changed", async () =>
    expect(await codes({ sourceSha256: undefined })).toEqual(["source.changed"]));
  test("is refused with another source digest: source.changed", async () =>
    expect(await codes({ sourceSha256: "c".repeat(64) })).toEqual(["source.changed"]));
  test("is refused with one byte more: artifact.changed", async () =>
    expect(await codes({ artifact: Buffer.from("the running file\n") })).toEqual([
      "artifact.changed",
    ]));
  test.each([
    { execPath: "/usr/bin/bun" },
    { argv: ["node", "/opt/eve/dist/other.js"] },
    { argv: ["node", "/opt/eve/dist/main.js", "--registry=x"] },
    { argv: ["node"] },
  ])("is refused when launched in another way: transport.changed (%j)", async (change) =>
    expect(await codes(change)).toEqual(["transport.changed"]),
  );
  test("measures every part itself", () => {
    const { source, version, transport } = observeSelf(SELF);
    expect([source.how, version.how, transport.how]).toEqual(["measured", "measured", "measured"]);
  });
});
