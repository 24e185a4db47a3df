import { PassThrough, Writable } from "node:stream";
import { describe, expect, test } from "vitest";
import { CATALOGUE, type Refusals, refusal } from "@eve/registry-schema";
import { watchOpening } from "../src/opening-request.ts";
import { OPENING_WAIT_MS, refuseAtStart } from "../src/refuse-at-start.ts";
import { drain } from "./drain.ts";

const PLACE = {
  integration: "oshun-workbench",
  subject: "lifecycle.state",
  expected: "active",
  actual: "quarantined",
};
const REFUSALS: Refusals = [
  refusal("lifecycle.quarantined", PLACE),
  refusal("health.expired", PLACE),
];
const INITIALIZE = `{"jsonrpc":"2.0","id":"one","method":"initialize","params":{}}\n`;

interface Told {
  readonly stdout: string;
  readonly stderr: string;
  readonly exits: readonly number[];
  readonly remembered: readonly unknown[];
}

/** Refuses before a client that does `act`; the time-out fires only when `act` lets it. */
async function refused(
  act: (stdin: PassThrough, timeOut: () => void) => void,
  opened = true,
): Promise<Told> {
  const stdin = new PassThrough();
  const [out, err] = [new PassThrough(), new PassThrough()];
  const exits: number[] = [];
  const remembered: unknown[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const edge = {
    stdout: out,
    stderr: err,
    sleep: (ms: number) =>
      ms === OPENING_WAIT_MS ? promise : Promise.reject(new Error("another time")),
    remember: (all: unknown) => remembered.push(all),
    exit: (code: number) => exits.push(code),
  };
  const done = refuseAtStart(
    "oshun-workbench",
    REFUSALS,
    opened ? watchOpening(stdin) : undefined,
    edge,
  );
  act(stdin, resolve);
  await done;
  return {
    stdout: drain(out),
    stderr: drain(err),
    exits,
    remembered,
  };
}

/** A stream whose other end is gone. */
function broken(): Writable {
  return new Writable({ write: (_chunk, _encoding, done) => done(new Error("EPIPE")) });
}

describe("refuseAtStart", () => {
  test("answers the opening request with one JSON-RPC error and exits 78", async () => {
    const { stdout, exits, remembered } = await refused((stdin) => stdin.write(INITIALIZE));
    const { title, remedy, jsonRpc } = CATALOGUE["lifecycle.quarantined"];
    const code = "lifecycle.quarantined";
    expect(stdout.split("\n")).toHaveLength(2);
    expect(JSON.parse(stdout)).toEqual({
      jsonrpc: "2.0",
      id: "one",
      error: {
        code: jsonRpc,
        message: `${code}: ${title}. ${remedy}`,
        data: { code, title, remedy },
      },
    });
    expect(jsonRpc < -32_768 || jsonRpc > -32_000).toBe(true);
    expect(exits).toEqual([78]);
    expect(remembered).toEqual([REFUSALS]);
  });

  test("answers one request of several", async () => {
    const { stdout } = await refused((stdin) =>
      stdin.write(INITIALIZE + INITIALIZE.replace("one", "two")),
    );
    expect(stdout.trim().split("\n")).toHaveLength(1);
  });

  test("writes one JSON line, then prose, on stderr", async () => {
    const { stderr } = await refused((stdin) => stdin.end());
    const [line = "", ...prose] = stderr.split("\n");
    expect(JSON.parse(line)).toEqual({
      event: "eve.refused",
      integration: "oshun-workbench",
      code: "lifecycle.quarantined",
      refusals: REFUSALS,
    });
    expect(prose.join("\n")).toMatch(
      /oshun-workbench is refused[^]*lifecycle\.quarantined[^]*health\.expired/,
    );
  });

  test("ends the wait at once at the end of input, and writes nothing to stdout", async () => {
    const { stdout, exits } = await refused((stdin) => stdin.end());
    expect([stdout, exits]).toEqual(["", [78]]);
  });

  test("ends the wait after 2 s, and writes nothing to stdout", async () => {
    const { stdout, exits } = await refused((_stdin, timeOut) => timeOut());
    expect([stdout, exits]).toEqual(["", [78]]);
  });

  test("writes nothing to stdout for notifications", async () => {
    const { stdout } = await refused((stdin) =>
      stdin.end(`{"jsonrpc":"2.0","method":"notifications/initialized"}\n`),
    );
    expect(stdout).toBe("");
  });

  test("does not wait where the client was answered before", async () => {
    const { stdout, exits } = await refused((stdin, timeOut) => {
      stdin.write(INITIALIZE);
      timeOut();
    }, false);
    expect([stdout, exits]).toEqual(["", [78]]);
  });

  test("exits 78 although both streams are broken", async () => {
    const exits: number[] = [];
    const stdin = new PassThrough();
    stdin.write(INITIALIZE);
    await refuseAtStart("oshun-workbench", REFUSALS, watchOpening(stdin), {
      stdout: broken(),
      stderr: broken(),
      sleep: () => new Promise(() => {}),
      remember: () => {},
      exit: (code) => exits.push(code),
    });
    expect(exits).toEqual([78]);
  });
});
