import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { renderConfig } from "../../src/commands/config.ts";
import { run, runJson } from "../run.ts";
import { removeFolders, reviewedWorkspace } from "../scratch.ts";

afterEach(removeFolders);

const SERVER = {
  id: "notes",
  command: "node",
  args: ["/a b/main.js"],
  env: { NOTES_URL: "https://notes.eve.example" },
};

describe("a client's configuration", () => {
  test("is JSON under mcpServers for Claude Code and Cursor", () => {
    const expected = {
      mcpServers: { notes: { command: "node", args: ["/a b/main.js"], env: SERVER.env } },
    };
    expect(JSON.parse(renderConfig("claude-code", SERVER))).toEqual(expected);
    expect(JSON.parse(renderConfig("cursor", SERVER))).toEqual(expected);
  });

  test("is JSON under servers, with the transport's type, for VS Code", () => {
    expect(JSON.parse(renderConfig("vscode", SERVER))).toMatchObject({
      servers: { notes: { type: "stdio" } },
    });
  });

  test("is TOML for Codex", () => {
    expect(renderConfig("codex", SERVER)).toBe(
      '[mcp_servers.notes]\ncommand = "node"\nargs = ["/a b/main.js"]\nenv = { NOTES_URL = "https://notes.eve.example" }',
    );
  });
});

describe("config", () => {
  test("names the program, the destination, and the credential by a placeholder that is refused at start", async () => {
    const root = await reviewedWorkspace();
    const { code, out } = await run(root, ["config", "notes", "--client", "cursor"]);
    expect(code).toBe(0);
    expect(out).toContain(".cursor/mcp.json:");
    expect(out).toContain(join(root, "app"));
  });

  test("refuses a client that it does not know: exit 2", async () => {
    const { code, json } = await runJson(await reviewedWorkspace(), [
      "config",
      "notes",
      "--client",
      "emacs",
    ]);
    expect(code).toBe(2);
    expect(JSON.stringify(json)).toContain("claude-code, vscode, cursor, codex");
  });

  test("refuses an id that is not there: exit 2", async () => {
    expect(
      (await run(await reviewedWorkspace(), ["config", "nobody", "--client", "codex"])).code,
    ).toBe(2);
  });
});
