import { type LocalPostgres, startLocalPostgres } from "@eve/local-postgres";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { migrate } from "../../src/database/database.ts";
import { approvedAgain, type Requested, requested } from "../database/call.ts";
import { createStore } from "../database/store.ts";
import { effectsOf, ONCE } from "./effects.ts";
import type { RacerAnswer } from "./programs/racer.ts";
import { execution, type Racer, startRacer } from "./racer.ts";
import { startWire, type Wire } from "./wire.ts";

const APPROVALS = 24;

const FOLDER = mkdtempSync(join(tmpdir(), "eve-restart-"));
// PostgreSQL may run as another user.
chmodSync(FOLDER, 0o755);

/** A durable PostgreSQL of its own: this one is stopped. */
const options = {
  folder: join(FOLDER, "database"),
  durable: true,
  database: "eve_restart",
};
let server: LocalPostgres;
let wire: Wire;
let racers: readonly Racer[];
let approvals: readonly Requested[];

beforeAll(async () => {
  // In haste: what is made here has been written when this server has stopped.
  server = await startLocalPostgres({ ...options, durable: false });
  await migrate(server.ownerUrl);
  const { url, ownerUrl } = server;
  const store = await createStore({ url, ownerUrl, drop: () => Promise.resolve() });
  const first = await requested(store);
  const made: Requested[] = [];
  for (let count = 0; count < 2 * APPROVALS; count += 1)
    made.push(await approvedAgain(store, first));
  approvals = made;
  await store[Symbol.asyncDispose]();
  await server.stop();
  server = await startLocalPostgres(options);
  wire = await startWire(server.url);
  const place = { url: wire.url, keys: store.keys };
  racers = await Promise.all([startRacer(place, 4), startRacer(place, 4)]);
}, 120_000);
afterAll(async () => {
  for (const racer of racers) await racer[Symbol.asyncDispose]();
  await wire[Symbol.asyncDispose]();
  await server.stop();
  rmSync(FOLDER, { recursive: true, force: true });
});

/** Executes until the answer says that it is done, as a client does that asks again; every answer on the way. */
async function insist(racer: Racer, asked: Requested): Promise<readonly RacerAnswer[]> {
  const all: RacerAnswer[] = [];
  for (let code = ""; code !== "ok" && code !== "consent.consumed";) {
    const [answer] = await racer.obey(execution(asked));
    if (answer === undefined) throw new Error("no answer");
    all.push(answer);
    [code] = answer;
    if (code !== "ok" && code !== "consent.consumed") await sleep(20);
  }
  return all;
}

async function insistOnAll(
  racer: Racer,
  some: readonly Requested[],
): Promise<readonly (readonly RacerAnswer[])[]> {
  const all: (readonly RacerAnswer[])[] = [];
  for (const asked of some) all.push(await insist(racer, asked));
  return all;
}

const stops: readonly (readonly [string, () => Promise<void>])[] = [
  ["stopped", () => server.stop()],
  [
    "killed",
    async () => {
      process.kill(server.pid, "SIGQUIT");
      await server.stop();
    },
  ],
];
describe("two processes of the service, asking for the same effects", () => {
  test.each(stops)(
    "while PostgreSQL is %s and started again: each is there once, and each answer is true (CC-05)",
    async (_, stop) => {
      const some = approvals.slice(0, APPROVALS);
      approvals = approvals.slice(APPROVALS);
      const before = wire.sent("bff.execute_consent");
      const work = Promise.all(racers.map((racer) => insistOnAll(racer, some)));
      await expect
        .poll(() => wire.sent("bff.execute_consent") - before, { interval: 1, timeout: 10_000 })
        .toBeGreaterThan(10);
      await stop();
      server = await startLocalPostgres(options);
      wire.lead(server.url);
      const answers = await work;
      const faults = answers.flat(2).filter(([code]) => /fault|service.unavailable/.test(code));
      expect(faults.length).toBeGreaterThan(0);
      for (const [at, asked] of some.entries()) {
        const { outcome, ...effects } = await effectsOf(server.ownerUrl, asked);
        expect(effects).toEqual(ONCE);
        const told = answers.map((one) => one[at]?.at(-1));
        for (const answer of told) expect(answer?.[1]).toEqual(outcome);
        // Each learnt the outcome, at most one of them as its own doing.
        expect(told.filter((answer) => answer?.[0] === "ok").length).toBeLessThanOrEqual(1);
      }
    },
    60_000,
  );
});
