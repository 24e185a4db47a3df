import { propertyFactor, propertyRuns } from "@eve/config/property-runs";
import {
  ACTORS,
  ITEM_IDS,
  type ModelStep,
  type ModelWorld,
  OPERATORS,
  runModel,
  stepOf,
} from "@eve/consent-binding/testing";
import { formatInstant } from "@eve/registry-schema";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { portOf } from "./consent-port.ts";
import { createStore, required, type Store } from "./store.ts";

/** More than this actor's requests ever wait in one sequence. */
const QUOTA = 32;
// Each runs for seconds, so a nightly run tries ten times as many and not a hundred times.
const RUNS = propertyFactor() === 1 ? 25 : propertyRuns(25) / 10;
const HOUR_MS = 3_600_000;

let store: Store;
let port: ModelWorld["store"];
let now: number;
beforeAll(async () => {
  store = await createStore();
  port = portOf(store, new Map());
  now = Math.ceil(Date.now() / HOUR_MS) * HOUR_MS;
});
afterAll(() => store[Symbol.asyncDispose]());

const keyOf = (tenant: string, itemId: string): string => `${tenant}/${itemId}`;

/** Items of its own, and a clock that begins after everything that an earlier sequence left has ended. */
async function newWorld(): Promise<ModelWorld> {
  const ids = new Map<string, string>();
  const begin = new Map<string, number>();
  for (const { tenant } of OPERATORS)
    for (const itemId of ITEM_IDS) {
      const id = await store.item(tenant);
      ids.set(keyOf(tenant, itemId), id);
      begin.set(keyOf(tenant, itemId), (await store.itemOf(tenant, id)).version);
    }
  const idOf = (tenant: string, itemId: string): string => required(ids.get(keyOf(tenant, itemId)));
  return {
    store: port,
    idOf,
    setNow: async (ms) => {
      now = ms;
      await store.setClock({ at: formatInstant(ms) });
    },
    submitAgain: (tenant, itemId) => store.touchItem(tenant, idOf(tenant, itemId), "submitted"),
    itemOf: async (tenant, itemId) => {
      const { state, version } = await store.itemOf(tenant, idOf(tenant, itemId));
      return { state, version: version - required(begin.get(keyOf(tenant, itemId))) + 1 };
    },
    moves: async () => {
      let moves = 0;
      for (const { tenant } of OPERATORS) moves += await movesOf(tenant, [...ids.values()]);
      return moves;
    },
  };
}

/** Rows of the items' history that a consent paid for. */
async function movesOf(tenant: string, ids: readonly string[]): Promise<number> {
  await store.owner.query("begin");
  await store.owner.query("select set_config('eve.tenant', $1, true)", [tenant]);
  const { rows } = await store.owner.query<{ moves: number }>(
    "select count(*)::int as moves from bff.history where consent is not null and item = any($1)",
    [ids],
  );
  await store.owner.query("commit");
  return required(rows[0]).moves;
}

/** Each actor asks, so that there is something to decide from the first step on. */
const OPENING: readonly ModelStep[] = ACTORS.map((by) => ({
  kind: "request",
  by,
  itemId: "item-1",
  channel: "beta",
}));
const number = fc.nat(10_000);
const steps: fc.Arbitrary<readonly ModelStep[]> = fc.array(
  fc.tuple(number, number, number, number, number).map(stepOf),
  { minLength: 15, maxLength: 30, size: "max" },
);

test(
  `the store on PostgreSQL does in ${RUNS} random sequences what a second telling of its rules foretells`,
  async () => {
    const seen = new Set<string>();
    await fc.assert(
      fc.asyncProperty(steps, async (sequence) => {
        await store.setClock({ at: formatInstant(now + HOUR_MS) });
        const met = await runModel([...OPENING, ...sequence], await newWorld(), {
          now: now + HOUR_MS,
          quota: QUOTA,
        });
        for (const code of met) seen.add(code);
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
    expect([...seen]).toEqual(expect.arrayContaining(["ok", "consent.consumed"]));
  },
  propertyRuns(120_000),
);
