import { CLIENTS } from "@eve/registry-cli";
import { describe, expect, it } from "vitest";
import { nextSteps, type Reach, reachSummary } from "../src/next-steps.ts";

const REACH: Reach = {
  backend: "http://127.0.0.1:4092",
  bellona: "http://127.0.0.1:4095/mcp",
  agentCredentialFile: "/home/me/eve/.eve/quickstart/agent.bearer",
  operatorCredentialFile: "/home/me/eve/.eve/quickstart/operator.bearer",
  logs: "/home/me/eve/.eve/quickstart/*.log",
  integration: "oshun-workbench",
  program: "/home/me/eve/.eve/quickstart/workbench/main.js",
  itemId: "item-1",
};
const text = nextSteps(REACH).join("\n");

describe("nextSteps", () => {
  it.each(Object.entries(REACH))("tells %s: %s", (_, value) => {
    expect(text).toContain(value);
  });

  it.each(["Claude Code", "VS Code", "Cursor", "Codex"])("has a configuration for %s", (client) => {
    expect(text).toContain(`${client}, `);
  });
});

describe("reachSummary", () => {
  it("is the same as one JSON value, with the configuration of every client", () => {
    const { running } = JSON.parse(JSON.stringify(reachSummary(REACH)));
    expect(running).toMatchObject(REACH);
    expect(Object.keys(running.clients)).toEqual([...CLIENTS]);
    for (const client of CLIENTS) expect(running.clients[client]).toContain(REACH.program);
  });
});
