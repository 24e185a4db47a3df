import { Buffer } from "node:buffer";
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import type { BffKeys, Decision } from "../../src/database/database.ts";
import type { Requested } from "../database/call.ts";
import type { Order, RacerAnswer, RacerStart } from "./programs/racer.ts";

const PROGRAM = fileURLToPath(new URL("./programs/racer.ts", import.meta.url));
/** The next process starts in half the time. */
const CACHE = fileURLToPath(new URL("../../node_modules/.cache/racers", import.meta.url));

/** One process of the service. */
export interface Racer extends AsyncDisposable {
  /** Gives an order; what it came to. Rejects if the process ends first. */
  readonly obey: (order: Order) => Promise<readonly RacerAnswer[]>;
  /** Sends a signal; SIGKILL ends it without a last word, and is waited for. */
  readonly signal: (signal: "SIGKILL" | "SIGSTOP" | "SIGCONT") => Promise<void>;
}

/** Where a racer's database is, and its keys. */
export interface RacerPlace {
  readonly url: string;
  readonly keys: BffKeys;
}

/** Starts a process of the service; its connections are made when this answers. */
export async function startRacer({ url, keys }: RacerPlace, connections = 1): Promise<Racer> {
  const start: RacerStart = {
    url,
    approvals: Buffer.from(keys.approvals).toString("hex"),
    connections,
  };
  const child = spawn(
    process.execPath,
    ["--conditions=@eve/source", PROGRAM, JSON.stringify(start)],
    { stdio: ["pipe", "pipe", "inherit"], env: { ...process.env, NODE_COMPILE_CACHE: CACHE } },
  );
  child.stdin.on("error", () => undefined);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ended = once(child, "exit");
  const next = async (): Promise<string> => {
    const { value, done } = await lines.next();
    if (done === true) throw new Error("the racer ended without an answer");
    return value;
  };
  if ((await next()) !== "ready") throw new Error("the racer did not start");
  return {
    obey: async (order) => {
      child.stdin.write(`${JSON.stringify(order)}\n`);
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the program beside this wrote it
      return JSON.parse(await next()) as readonly RacerAnswer[];
    },
    signal: async (signal) => {
      child.kill(signal);
      if (signal === "SIGKILL") await ended;
    },
    [Symbol.asyncDispose]: () => stop(child, ended),
  };
}

async function stop(
  child: ChildProcessByStdio<Writable, Readable, null>,
  ended: Promise<unknown>,
): Promise<void> {
  child.stdin.end();
  child.kill("SIGKILL");
  await ended;
}

/** The order to execute an approval. */
export function execution(
  { agent, view, call }: Requested,
  times = 1,
  change: Partial<Requested["call"]> = {},
): Order {
  return {
    caller: agent,
    consentId: view.id,
    act: { execute: { ...call, ...change } },
    times,
    spreadMs: 0,
  };
}

/** The order to decide a request. */
export function decision(
  { operator, view }: Requested,
  decide: Decision["decision"],
  times = 1,
): Order {
  const act = { decide: { decision: decide, digest: view.digest, reason: "raced" } };
  return { caller: operator, consentId: view.id, act, times, spreadMs: 0 };
}

/** The order to ask for approval, of one request after the other. */
export function asking(
  caller: Order["caller"],
  request: readonly Requested["call"][],
  times: number,
): Order {
  return { caller, consentId: "", act: { request }, times, spreadMs: 0 };
}
