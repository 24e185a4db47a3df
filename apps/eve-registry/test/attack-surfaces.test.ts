import { once } from "node:events";
import { createServer } from "node:http";
import { DAY_MS, NOW, objectIn } from "@eve/test-kit";
import { afterEach, describe, expect, onTestFinished, test } from "vitest";
import { installPackage } from "./packages.ts";
import { codesOf, run, runJson } from "./run.ts";
import { build, removeFolders, reviewedWorkspace } from "./scratch.ts";
import { serverScript, surfacesWithTool } from "./server-script.ts";
import { servingOther } from "./serving-other.ts";

afterEach(removeFolders);

const later = { now: () => NOW + DAY_MS };

describe("SS-10 a schema that refers to a server of this machine", () => {
  test("is refused, drafted or measured, and nothing is asked of that server: schema.remote_ref", async () => {
    let requests = 0;
    const canary = createServer((_, response) => {
      requests += 1;
      response.end("{}");
    }).listen(0, "127.0.0.1");
    onTestFinished(() => void canary.close());
    await once(canary, "listening");
    const address = canary.address();
    const port = typeof address === "object" ? address?.port : undefined;
    const surfaces = surfacesWithTool("get_note", (tool) => ({
      ...tool,
      inputSchema: {
        ...objectIn(tool["inputSchema"]),
        $ref: `http://127.0.0.1:${port}/evil.json`,
        properties: { id: { $ref: `http://127.0.0.1:${port}/id.json#/a` } },
      },
    }));
    const { folder } = installPackage(surfaces);
    const draft = ["measure", "other-notes", "--package", "@notes/server", "--spawn"];
    expect(new Set(codesOf(await runJson(folder, draft)))).toEqual(new Set(["schema.remote_ref"]));
    const root = await servingOther(surfaces);
    expect(codesOf(await runJson(root, ["verify", "--live"], later))).toEqual(
      expect.arrayContaining(["surface.schema_drift", "schema.remote_ref"]),
    );
    expect((await run(root, ["diff", "notes"])).code).toBe(0);
    expect(requests).toBe(0);
  });
});

describe("SM-10 what a server says of itself", () => {
  test.each([
    ["another name", '{ name: "other", version: "1" }'],
    ["another version", '{ name: "SERVER TEXT", version: "99.0.0" }'],
    ["a description", '{ name: "SERVER TEXT", version: "1", description: "Trusted by all." }'],
    [
      "a title and a website",
      '{ name: "a", version: "1", title: "b", websiteUrl: "javascript:1" }',
    ],
    ["nothing", "undefined"],
  ])(
    "%s is neither pinned nor trusted: as pinned, and handed on to nobody",
    async (_, serverInfo) => {
      const root = await reviewedWorkspace();
      const told = serverScript().replace('{ name: "SERVER TEXT", version: "1" }', serverInfo);
      expect(told).toContain(`serverInfo: ${serverInfo}`);
      build(root, serverScript(), told);
      const { code, out } = await run(root, ["measure", "notes"]);
      expect([code, out.split("\n")[0]]).toEqual([0, "notes: as pinned"]);
      expect((await run(root, ["diff", "notes"])).out).toBe(
        "notes in 2025-11-25: as reviewed\nnotes in 2026-07-28: as reviewed\n",
      );
    },
  );
});

describe("SS-17 a parameter that is to be sent in a header", () => {
  test.each([
    ["a secret", "surface.schema_drift", { token: { type: "string", "x-mcp-header": "Token" } }],
    [
      "no header's name",
      "schema.header_invalid",
      { id: { type: "string", "x-mcp-header": "a b" } },
    ],
  ])("%s: %s", async (_, code, properties) => {
    const surfaces = surfacesWithTool("get_note", (tool) => ({
      ...tool,
      inputSchema: { ...objectIn(tool["inputSchema"]), properties },
    }));
    const root = await servingOther(surfaces);
    expect(codesOf(await runJson(root, ["verify", "--live"], later))).toContain(code);
    const { out } = await run(root, ["verify", "--live"], later);
    expect(out).toContain("  breaking  /tools/get_note/inputSchema/properties/");
  });
});
