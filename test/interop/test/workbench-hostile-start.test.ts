import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isJsonObject } from "@eve/canonical-json";
import { spawnStdio } from "@eve/mcp-guard";
import { describe, expect, test } from "vitest";
import { parseObject } from "../src/json.ts";
import { refusedWith, toldBy } from "../src/refusal-oracle.ts";
import { set } from "../src/rows/row.ts";
import { OPENINGS, runToEnd } from "../src/run.ts";
import { goodWorkbench, withEnvironment, workbenchTrial } from "../src/trial.ts";

const good = goodWorkbench();
const { id: openingId, line: opening } = OPENINGS.legacy;
const DRIFT = "surface.description_drift";
const drifted = { entry: set(["tools", 0, "pins", "description"], "0".repeat(64)) };

/** The answers on stdout, as `id: error code`, in order. */
function answersOf(stdout: string): readonly string[] {
  const lines = stdout.split("\n").filter((line) => line !== "");
  return lines.map((line) => {
    const { id, error } = parseObject(line);
    return `${JSON.stringify(id)}: ${isJsonObject(error) ? JSON.stringify(error["code"]) : "result"}`;
  });
}

describe.concurrent("a script that loads the program", () => {
  test("is refused, though the file that runs has the reviewed digest: runtime.unsafe", async () => {
    const { launch, folder } = workbenchTrial(good);
    mkdirSync(join(folder, "wrapper"));
    const wrapper = join(folder, "wrapper", "main.js");
    writeFileSync(wrapper, `import(${JSON.stringify(join(folder, "main.js"))});`);
    const ended = await runToEnd({ ...launch, args: [wrapper] }, { input: opening });
    expect(toldBy(ended, "runtime.unsafe")).toEqual(refusedWith("runtime.unsafe", openingId));
  });
});

describe.concurrent("each request gets one answer, and the refusal goes to the one that had none", () => {
  test.for([
    [
      "an incomplete request of the modern era",
      { _meta: { "io.modelcontextprotocol/protocolVersion": "2026-07-28" } },
    ],
    [
      "a version that nobody speaks",
      {
        _meta: {
          "io.modelcontextprotocol/protocolVersion": "2099-01-01",
          "io.modelcontextprotocol/clientCapabilities": {},
          "io.modelcontextprotocol/clientInfo": { name: "x", version: "1" },
        },
      },
    ],
  ] as const)(`after %s: ${DRIFT}`, async ([, params]) => {
    const first = JSON.stringify({
      jsonrpc: "2.0",
      id: "first",
      method: "server/discover",
      params,
    });
    const { launch } = workbenchTrial(good, drifted);
    const ended = await runToEnd(launch, { input: `${first}\n${opening}` });
    const answers = answersOf(ended.stdout);
    expect(ended.code).toBe(78);
    expect(new Set(answers.map((answer) => answer.split(": ")[0])).size).toBe(answers.length);
    expect(answers.length).toBeGreaterThan(0);
  });

  test(`a line that is no JSON-RPC is not answered: ${DRIFT}`, async () => {
    const { launch } = workbenchTrial(good, drifted);
    const ended = await runToEnd(launch, { input: `{"id":4,"method":"initialize"}\n${opening}` });
    expect(toldBy(ended, DRIFT)).toEqual(refusedWith(DRIFT, openingId));
  });
});

describe.concurrent("bounds (O6)", () => {
  test("a line of more than 4 MiB: protocol.framing", async () => {
    const { launch } = workbenchTrial(good);
    const ended = await runToEnd(launch, { input: Buffer.alloc(4 * 1024 * 1024 + 1, 0x61) });
    expect(toldBy(ended, "protocol.framing")).toEqual(refusedWith("protocol.framing", undefined));
  });

  test("a registry of very many faults tells a page of them: registry.unknown_field", async () => {
    const many = Object.fromEntries(Array.from({ length: 4000 }, (_, n) => [`field${n}`, 1]));
    const { launch } = workbenchTrial(good, { entry: (entry) => ({ ...entry, ...many }) });
    const ended = await runToEnd(launch, { input: opening });
    expect(toldBy(ended, "registry.unknown_field")).toEqual(
      refusedWith("registry.unknown_field", openingId),
    );
    expect(ended.stderr.length).toBeLessThan(100_000);
  });

  test("a registry of very many values is not parsed: registry.too_large", async () => {
    const file = `{"integrations":[${"[".concat("[],".repeat(4000), "[]],").repeat(100)}[]]}`;
    const { launch } = workbenchTrial(good, { file: () => file });
    const ended = await runToEnd(launch, { input: opening });
    expect(toldBy(ended, "registry.too_large")).toEqual(
      refusedWith("registry.too_large", openingId),
    );
  });

  // Only Linux has /proc.
  test.skipIf(process.platform !== "linux")(
    "a registry that never ends: registry.too_large",
    async () => {
      const { launch, registry } = workbenchTrial(good);
      rmSync(registry);
      symlinkSync("/proc/self/pagemap", registry);
      const ended = await runToEnd(launch, { input: opening });
      expect(toldBy(ended, "registry.too_large")).toEqual(
        refusedWith("registry.too_large", openingId),
      );
    },
  );

  // Only Linux has /proc.
  test.skipIf(process.platform !== "linux")(
    "a state folder that cannot be made holds nothing up: lifecycle.revoked",
    async () => {
      const { launch } = workbenchTrial(good, { entry: set(["lifecycle", "state"], "revoked") });
      const ended = await runToEnd(withEnvironment(launch, { XDG_STATE_HOME: "/proc/nope" }), {
        input: opening,
      });
      expect(toldBy(ended, "lifecycle.revoked")).toEqual(
        refusedWith("lifecycle.revoked", openingId),
      );
    },
  );
});

// Windows has no SIGUSR1.
test.skipIf(process.platform === "win32")(
  "SIGUSR1 opens no inspector on the process that holds the credential",
  async () => {
    const { launch } = workbenchTrial(good);
    let told = "";
    const child = spawnStdio({
      ...launch,
      onStderr: (chunk) => (told += Buffer.from(chunk).toString()),
    });
    const answered = new Promise((resolve) => child.channel.fromServer.once("data", resolve));
    child.channel.toServer.write(opening);
    await answered;
    process.kill(child.pid ?? 0, "SIGUSR1");
    const pinged = new Promise((resolve) => child.channel.fromServer.once("data", resolve));
    child.channel.toServer.write('{"jsonrpc":"2.0","id":2,"method":"ping"}\n');
    await pinged;
    await child.end();
    expect(told).not.toContain("Debugger");
  },
);
