import { PassThrough } from "node:stream";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import type { JsonObject } from "@eve/canonical-json";
import { CATALOGUE, type RefusalCode } from "@eve/registry-schema";
import type { Standing } from "@eve/trust-admission";
import type { Host } from "../src/host.ts";
import { type Program, runProgram } from "../src/program.ts";
import { observeSelf } from "../src/standing.ts";
import { drain } from "./drain.ts";
import { fromJson } from "./from-json.ts";
import { type Backend, startBackend } from "./backend.ts";
import {
  NOW,
  RISK_CLASSES,
  STANDING,
  goodEntry,
  registryBytes,
  withPins,
  withSubject,
} from "./good-registry.ts";
import { clientAt, clients, lineTransport } from "./memory.ts";
import { ITEM, CLEAN_RUNTIME } from "./samples.ts";

const TOKEN = "eve_local_agent_Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4Zm9vYmFyYmE";
const INITIALIZE = {
  jsonrpc: "2.0",
  id: 41,
  method: "initialize",
  params: {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "t", version: "1" },
  },
};
const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "t", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};
const DISCOVER = { jsonrpc: "2.0", id: 42, method: "server/discover", params: { _meta: META } };

let backend: Backend;
let entry: JsonObject;
beforeAll(async () => {
  backend = await startBackend(() => ({ body: { status: "ok", item: ITEM } }));
  entry = await goodEntry(backend.origin);
  return () => backend.close();
});

interface Run {
  readonly program: Program;
  readonly stdin: PassThrough;
  readonly stdout: PassThrough;
  readonly exits: number[];
  readonly stderr: () => string;
  readonly state: { bytes: Uint8Array; now: number };
}

let runs: Run[] = [];
afterEach(() => {
  for (const { stdin } of runs) stdin.end();
  runs = [];
});

const bytesOf = (change: JsonObject = {}, sequence = 1): Uint8Array =>
  registryBytes([withSubject({ ...entry, ...change })], sequence);

function run(change: Partial<Host> = {}): Run {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const exits: number[] = [];
  const state = { bytes: bytesOf(), now: NOW };
  let told = "";
  stderr.on("data", (chunk: Buffer) => (told += chunk.toString()));
  const host: Host = {
    stdin,
    stdout,
    stderr,
    runtime: CLEAN_RUNTIME,
    settings: { url: backend.origin, token: TOKEN },
    observeSelf: () => STANDING,
    readRegistry: () => ({ bytes: state.bytes }),
    fetch,
    now: () => state.now,
    sleep: () => new Promise(() => {}),
    remember: () => {},
    exit: (code) => exits.push(code),
    ...change,
  };
  const made = { program: runProgram(host), stdin, stdout, exits, stderr: () => told, state };
  runs.push(made);
  return made;
}

async function exited({ exits }: Run): Promise<void> {
  await expect.poll(() => exits).toEqual([78]);
}

interface Line {
  readonly id?: unknown;
  readonly error?: { readonly code: number; readonly data?: { readonly code?: string } };
  readonly result?: object;
}

/** The protocol lines written since the last look. */
function linesOf(stdout: PassThrough): readonly Line[] {
  const lines = drain(stdout).split("\n");
  return lines.filter(Boolean).map((line) => fromJson<Line>(line));
}

const send = ({ stdin }: Run, ...messages: readonly object[]): void =>
  void stdin.write(messages.map((message) => `${JSON.stringify(message)}\n`).join(""));

describe.each(clients().map(({ name }, i) => [name, i] as const))(
  "a reviewed program to a client of kind %s",
  (_name, i) => {
    test("lists seven tools and answers a call", async () => {
      const client = clientAt(i);
      const { stdin, stdout, exits } = run();
      await client.connect(lineTransport(stdin, stdout));
      expect((await client.listTools()).tools.map(({ name }) => name)).toEqual([
        ...RISK_CLASSES.keys(),
      ]);
      const result = await client.callTool("workbench_claim_item", { itemId: "item-1" });
      expect(result.structuredContent).toEqual({ status: "ok", item: ITEM });
      expect(exits).toEqual([]);
      await client.close();
    });
  },
);

/** Throws what nobody may be told. */
const faulty = (): never => {
  throw new TypeError("s3cret");
};
const unbundled = (): Standing =>
  observeSelf({
    sourceSha256: undefined,
    artifact: Buffer.of(),
    execPath: "node",
    argv: ["node", "main.js"],
  });

describe("a program that is refused at start", () => {
  test.each<[string, Partial<Host>, RefusalCode]>([
    ["a preload", { runtime: { ...CLEAN_RUNTIME, execArgv: ["--import=x"] } }, "runtime.unsafe"],
    ["no registry", { readRegistry: () => ({ fault: "missing" }) }, "registry.missing"],
    [
      "a registry that is none",
      { readRegistry: () => ({ bytes: Buffer.from("[]") }) },
      "registry.unparseable",
    ],
    ["source that was not reviewed", { observeSelf: unbundled }, "source.changed"],
    ["no URL", { settings: { url: undefined, token: TOKEN } }, "configuration.missing"],
    [
      "no token",
      { settings: { url: "http://127.0.0.1:1", token: undefined } },
      "credential.missing",
    ],
    ["a fault in observing itself", { observeSelf: faulty }, "internal.error"],
    ["a fault in the clock", { now: faulty }, "internal.error"],
  ])("for %s answers the opening request once and exits 78: %s", async (_name, change, code) => {
    const refused = run(change);
    send(refused, INITIALIZE, { ...INITIALIZE, id: 43 });
    await exited(refused);
    expect(linesOf(refused.stdout)).toMatchObject([
      { id: 41, error: { code: CATALOGUE[code].jsonRpc, data: { code } } },
    ]);
    expect(refused.stderr()).toContain(`"code":"${code}"`);
    expect(refused.stderr()).not.toContain("s3cret");
  });

  test("exits at the end of input and writes nothing to stdout", async () => {
    const refused = run({ runtime: { ...CLEAN_RUNTIME, execArgv: ["--x"] } });
    refused.stdin.end();
    await exited(refused);
    expect(linesOf(refused.stdout)).toEqual([]);
  });
});

describe.each([
  ["initialize", INITIALIZE],
  ["server/discover", DISCOVER],
] as const)("a program that is refused when a client opens with %s", (_method, message) => {
  test.each([
    [
      "the surface drifted",
      "surface.description_drift",
      () => {
        const drifted = withPins(entry, (pins) => ({ ...pins, description: "e".repeat(64) }));
        return bytesOf(drifted, 2);
      },
    ],
    [
      "the entry was quarantined since the start",
      "lifecycle.quarantined",
      () =>
        bytesOf(
          {
            lifecycle: { state: "quarantined", since: "2026-12-01T11:00:00Z", reason: "Looked at" },
          },
          2,
        ),
    ],
    [
      "the registry went back",
      "registry.rollback",
      () =>
        bytesOf(
          { lifecycle: { state: "active", since: "2026-12-01T11:00:00Z", reason: "Other words" } },
          1,
        ),
    ],
  ] as const)(
    "because %s answers one error, and never the SDK's own, and exits 78: %s",
    async (_name, code, bytes) => {
      const refused = run();
      expect(refused.exits).toEqual([]);
      refused.state.bytes = bytes();
      send(refused, message, {
        jsonrpc: "2.0",
        id: 99,
        method: "tools/list",
        params: { _meta: META },
      });
      await exited(refused);
      expect(linesOf(refused.stdout)).toMatchObject([
        { id: message.id, error: { data: { code } } },
      ]);
    },
  );
});

describe("a client that probes one era and falls back to the other", () => {
  test("is answered for its second opening too", async () => {
    const program = run();
    send(program, DISCOVER);
    await expect.poll(() => linesOf(program.stdout)).toMatchObject([{ id: 42, result: {} }]);
    program.state.bytes = bytesOf(
      { lifecycle: { state: "revoked", since: "2026-12-01T11:00:00Z", reason: "Retired" } },
      2,
    );
    send(program, INITIALIZE);
    await exited(program);
    expect(linesOf(program.stdout)).toMatchObject([
      { id: 41, error: { data: { code: "lifecycle.revoked" } } },
    ]);
  });
});

describe("a fault while serving", () => {
  test("exits 78 and writes nothing more to stdout: internal.error", async () => {
    const serving = run({ sleep: async () => {} });
    send(serving, INITIALIZE);
    await expect.poll(() => linesOf(serving.stdout)).toMatchObject([{ id: 41, result: {} }]);
    send(
      serving,
      { jsonrpc: "2.0", method: "notifications/initialized" },
      { jsonrpc: "2.0", id: 44, method: "ping" },
    );
    await expect.poll(() => linesOf(serving.stdout)).toMatchObject([{ id: 44 }]);
    serving.program.fail(new Error("s3cret"));
    serving.program.fail(new Error("again"));
    await exited(serving);
    expect(linesOf(serving.stdout)).toEqual([]);
    expect(serving.stderr()).toMatch(/internal\.error/);
    expect(serving.stderr()).not.toContain("s3cret");
  });

  test("inside a call answers that call first: internal.error", async () => {
    const serving = run({ sleep: async () => {} });
    send(serving, INITIALIZE);
    await expect.poll(() => linesOf(serving.stdout)).toMatchObject([{ id: 41, result: {} }]);
    Object.defineProperty(serving.state, "now", {
      get: () => {
        throw new Error("s3cret");
      },
    });
    send(serving, {
      jsonrpc: "2.0",
      id: 45,
      method: "tools/call",
      params: { name: "workbench_get_item", arguments: { itemId: "item-1" } },
    });
    await exited(serving);
    expect(linesOf(serving.stdout)).toMatchObject([
      { id: 45, result: { isError: true, structuredContent: { code: "internal.error" } } },
    ]);
  });
});
