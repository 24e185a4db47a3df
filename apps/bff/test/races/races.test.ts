import { propertyRuns } from "@eve/config/property-runs";
import { instantMs } from "@eve/registry-schema";
import { afterAll, beforeAll, expect, test } from "vitest";
import { approvedAgain, askedAgain, type Requested, requested } from "../database/call.ts";
import { createStore, open, type Store, TENANT } from "../database/store.ts";
import { effectsOf, ONCE } from "./effects.ts";
import type { Order, RacerAnswer } from "./programs/racer.ts";
import { decision, execution, type Racer, startRacer } from "./racer.ts";

const PROCESSES = 4;
const CONNECTIONS = 8;
const ROUNDS = propertyRuns(3);

let store: Store;
let first: Requested;
let racers: readonly Racer[];
beforeAll(async () => {
  store = await createStore();
  first = await requested(store);
  const place = { url: store.database.url, keys: store.keys };
  racers = await Promise.all(
    Array.from({ length: PROCESSES }, () => startRacer(place, CONNECTIONS)),
  );
});
afterAll(async () => {
  for (const racer of racers) await racer[Symbol.asyncDispose]();
  await store[Symbol.asyncDispose]();
});

/** Gives each process its order in the same moment; what all calls came to. */
async function race(...orders: readonly Order[]): Promise<readonly RacerAnswer[]> {
  const obeying = racers.map((racer, at) => {
    const order = orders[at % orders.length];
    if (order === undefined) throw new Error("no order");
    return racer.obey(order);
  });
  return (await Promise.all(obeying)).flat();
}

/** How often each code was answered. */
function tally(answers: readonly RacerAnswer[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const [code] of answers) counts[code] = (counts[code] ?? 0) + 1;
  return counts;
}

/** A request, or an approval, that ends in `ms` of real time. */
async function ending(make: typeof askedAgain, ms: number): Promise<Requested> {
  await store.setClock({ offset: ms - 600_000 });
  const asked = await make(store, first);
  await store.setClock({ offset: 0 });
  return asked;
}

test(`${ROUNDS} times 64 executions of one approval at once, from 4 processes: one effect, and 63 learn its outcome: consent.consumed (ADR-0092-408, CC-01, D26)`, async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const asked = await approvedAgain(store, first);
    const answers = await race(execution(asked, 16));
    const { outcome, ...effects } = await effectsOf(store.database.ownerUrl, asked);
    expect(effects).toEqual(ONCE);
    expect(tally(answers)).toEqual({ ok: 1, "consent.consumed": 63 });
    for (const [, told] of answers) expect(told).toEqual(outcome);
  }
});

test(`${ROUNDS} times 64 decisions of one request at once, from 4 processes: one is told and counts: consent.decided, consent.declined (CC-02, D28)`, async () => {
  const [oona, olaf] = [first, { ...first, operator: await store.caller("operator") }];
  for (let round = 0; round < ROUNDS; round += 1) {
    const { view } = await askedAgain(store, first);
    const answers = await race(
      decision({ ...oona, view }, "approve", 16),
      decision({ ...olaf, view }, "decline", 16),
    );
    const { state, outcome, ...effects } = await effectsOf(store.database.ownerUrl, {
      ...first,
      view,
    });
    expect(["approved", "declined"]).toContain(state);
    const late = state === "approved" ? "consent.decided" : "consent.declined";
    expect(tally(answers)).toEqual({ ok: 1, [late]: 63 });
    expect([effects, outcome]).toEqual([
      { moves: 0, versions: 0, consumed: 0, decided: 1, ended: 0 },
      null,
    ]);
  }
});

test(`${ROUNDS} times executions against those that void the approval, from 4 processes: one winner: consent.consumed, consent.voided (CC-02)`, async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const asked = await approvedAgain(store, first);
    const answers = tally(
      await race(execution(asked, 8), execution(asked, 8, { toolPins: { inputSchema: "other" } })),
    );
    const { state, outcome, ...effects } = await effectsOf(store.database.ownerUrl, asked);
    const won = state === "consumed";
    expect(effects).toEqual({
      moves: won ? 1 : 0,
      versions: won ? 1 : 0,
      consumed: won ? 1 : 0,
      decided: 1,
      ended: won ? 0 : 1,
    });
    expect(outcome === null).toBe(!won);
    expect(answers).toEqual(
      won
        ? { ok: 1, "consent.consumed": 31 }
        : { "consent.surface_changed": 1, "consent.voided": 31 },
    );
  }
});

test(`${ROUNDS} times an execution that races its approval, from 4 processes: one effect, or none yet: consent.pending (CC-02)`, async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const asked = await askedAgain(store, first);
    const answers = tally(await race(execution(asked, 8), decision(asked, "approve", 1)));
    const { moves, consumed, versions, decided } = await effectsOf(store.database.ownerUrl, asked);
    const won = (answers["consent.pending"] ?? 0) < 16 ? 1 : 0;
    expect([moves, consumed, versions, decided]).toEqual([won, won, won, 1]);
    // One of the two approvals, and the execution.
    expect(answers["ok"]).toBe(1 + won);
  }
});

test(`${ROUNDS} times executions as the approval ends, from 4 processes: one effect before, none after: consent.expired (CC-02, CS-04, D29)`, async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const asked = await ending(approvedAgain, 40);
    const answers = tally(await race({ ...execution(asked, 8), spreadMs: 80 }));
    const { state, moves, versions, consumed, ended } = await effectsOf(
      store.database.ownerUrl,
      asked,
    );
    const won = state === "consumed" ? 1 : 0;
    expect([moves, versions, consumed, ended]).toEqual([won, won, won, 1 - won]);
    expect(answers).toEqual(
      won === 1 ? { ok: 1, "consent.consumed": 31 } : { "consent.expired": 32 },
    );
  }
});

test(`${ROUNDS} times decisions as the request ends, from 4 processes: one before, none after: consent.expired (CC-02, D29)`, async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const asked = await ending(askedAgain, 40);
    const spread = (what: "approve" | "decline"): Order => ({
      ...decision(asked, what, 8),
      spreadMs: 80,
    });
    const answers = tally(await race(spread("approve"), spread("decline")));
    const { state, moves, decided, ended } = await effectsOf(store.database.ownerUrl, asked);
    expect(moves).toBe(0);
    expect([decided, ended]).toEqual(state === "expired" ? [0, 1] : [1, 0]);
    const late = { approved: "consent.decided", declined: "consent.declined" }[state];
    expect(answers).toEqual(late === undefined ? { "consent.expired": 32 } : { ok: 1, [late]: 31 });
  }
});

test("a row lock that outlasts the end: what waited for it is refused, in every process: consent.expired (CC-02, CC-11)", async () => {
  const approval = await ending(approvedAgain, 2_000);
  const request = await ending(askedAgain, 2_000);
  const holder = await open(store.database.ownerUrl);
  try {
    const { rows } = await holder.query<{ pid: number }>("select pg_backend_pid() as pid");
    await holder.query("begin");
    await holder.query("select set_config('eve.tenant', $1, true)", [TENANT]);
    const items = [approval.itemId, request.itemId];
    await holder.query("select from bff.items where id = any($1) for update", [items]);
    expect(await store.bff.now()).toBeLessThan(instantMs(approval.view.expiresAt));
    const waiting = race(execution(approval, 2), decision(request, "approve", 2));
    await expect
      .poll(async () => (await store.owner.query(WAITS_FOR, [rows[0]?.pid])).rowCount, {
        timeout: 10_000,
      })
      .toBeGreaterThanOrEqual(2);
    await expect
      .poll(() => store.bff.now(), { timeout: 10_000 })
      .toBeGreaterThan(instantMs(request.view.expiresAt));
    await holder.query("commit");
    expect(tally(await waiting)).toEqual({ "consent.expired": 8 });
    for (const asked of [approval, request])
      expect(await effectsOf(store.database.ownerUrl, asked)).toMatchObject({
        state: "expired",
        moves: 0,
      });
  } finally {
    await holder.end();
  }
});

const WAITS_FOR = "select from pg_locks where not granted and $1 = any(pg_blocking_pids(pid))";
