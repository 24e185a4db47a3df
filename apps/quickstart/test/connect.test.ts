import { describe, expect, it } from "vitest";
import type { StdioLaunch } from "@eve/mcp-guard";
import { connect } from "../src/connect.ts";

const never = new AbortController().signal;

/** Launches a server of a few lines. */
function server(script: string, env: Readonly<Record<string, string>> = {}): StdioLaunch {
  return { command: process.execPath, args: ["-e", script], env };
}

const REFUSES = `
  process.stdin.once("data", (line) => {
    const { id } = JSON.parse(line);
    const answer = { jsonrpc: "2.0", id, error: { code: -31133, message: "health.expired: …", data: { code: "health.expired" } } };
    process.stdout.write(JSON.stringify(answer) + "\\n");
    process.stderr.write("why\\n" + "x".repeat(200000), () => process.exit(78));
  });`;
const SERVES = `
  const answers = {
    initialize: { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "s", version: "1" }, instructions: "Ask." },
    "tools/list": { tools: [{ name: process.env.ZONE ?? "none", inputSchema: { type: "object" } }] },
  };
  require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
    const { id, method } = JSON.parse(line);
    if (id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, result: answers[method] }));
  });`;

describe("connect", () => {
  it("answers the error a client sees, the exit code and all of stderr", async () => {
    const connection = await connect(server(REFUSES), never);
    expect(connection).toMatchObject({
      served: false,
      exit: 78,
      error: { code: "health.expired" },
      stderr: `why
${"x".repeat(200_000)}`,
    });
  });

  it("answers the tools that a server lists, and hands it the environment given", async () => {
    const connection = await connect(server(SERVES, { ZONE: "kiritimati" }), never);
    expect(connection).toMatchObject({
      served: true,
      tools: [{ name: "kiritimati" }],
      instructions: "Ask.",
    });
  });

  it("answers an error without a code where the server ends without a word", async () => {
    const connection = await connect(server("process.exit(3)"), never);
    expect(connection).toMatchObject({ served: false, exit: 3, error: { code: undefined } });
  });

  it("answers an error where there is no such program", async () => {
    const connection = await connect({ command: "/nowhere/to/be/found", args: [], env: {} }, never);
    expect(connection).toMatchObject({ served: false, exit: null });
  });

  it("ends the server at once when the run is given up", async () => {
    const given = new AbortController();
    const connection = connect(
      server("process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)"),
      given.signal,
    );
    setTimeout(() => given.abort(), 200);
    expect(await connection).toMatchObject({ served: false, exit: null });
  });
});
