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
  secrets: ["NOTES_TOKEN"],
};

describe("a client's configuration", () => {
  test.each([
    ["claude-code", "${NOTES_TOKEN}"],
    ["cursor", "${env:NOTES_TOKEN}"],
  ] as const)(
    "is JSON under mcpServers for %s, the credential taken from its environment",
    (client, token) => {
      expect(JSON.parse(renderConfig(client, SERVER))).toEqual({
        mcpServers: {
          notes: {
            command: "node",
            args: ["/a b/main.js"],
            env: { ...SERVER.env, NOTES_TOKEN: token },
          },
        },
      });
    },
  );

  test("is JSON under servers for VS Code, which asks for the credential and hides it", () => {
    expect(JSON.parse(renderConfig("vscode", SERVER))).toMatchObject({
      servers: { notes: { type: "stdio", env: { NOTES_TOKEN: "${input:NOTES_TOKEN}" } } },
      inputs: [{ type: "promptString", id: "NOTES_TOKEN", password: true }],
    });
  });

  test("is TOML for Codex, the credential taken from its environment", () => {
    expect(renderConfig("codex", SERVER)).toBe(
      '[mcp_servers.notes]\ncommand = "node"\nargs = ["/a b/main.js"]\nenv = { NOTES_URL = "https://notes.eve.example" }\nenv_vars = ["NOTES_TOKEN"]',
    );
  });
});

describe("config", () => {
  test("names the program, the destination, and never a credential", async () => {
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
