import { instantMs } from "@eve/registry-schema";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { approvedAgain, askedAgain, type Requested, requested } from "../database/call.ts";
import { createStore, type Store } from "../database/store.ts";
import { effectsOf } from "./effects.ts";
import { decision, execution, type Racer, startRacer } from "./racer.ts";
import { startWire, type Wire } from "./wire.ts";

/** Long enough to get there, short enough to wait for. */
const LIFE_MS = 1_000;

let store: Store;
let first: Requested;
let wire: Wire;
let racer: Racer;
beforeAll(async () => {
  store = await createStore();
  first = await requested(store);
  wire = await startWire(store.database.url);
  racer = await startRacer({ url: wire.url, keys: store.keys });
});
afterAll(async () => {
  await racer[Symbol.asyncDispose]();
  await wire[Symbol.asyncDispose]();
  await store[Symbol.asyncDispose]();
});

async function ending(make: typeof askedAgain): Promise<Requested> {
  await store.setClock({ offset: LIFE_MS - 600_000 });
  const asked = await make(store, first);
  await store.setClock({ offset: 0 });
  return asked;
}

async function untilItEnds({ view }: Requested): Promise<void> {
  await expect
    .poll(() => store.bff.now(), { timeout: 10_000 })
    .toBeGreaterThan(instantMs(view.expiresAt));
}

describe("a process of the service that sleeps past the end (SIGSTOP)", () => {
  test("executes nothing with the approval it was about to use: consent.expired (CC-11)", async () => {
    const asked = await ending(approvedAgain);
    await racer.signal("SIGSTOP");
    const answer = racer.obey(execution(asked));
    await untilItEnds(asked);
    await racer.signal("SIGCONT");
    expect(await answer).toEqual([["consent.expired", null]]);
    expect(await effectsOf(store.database.ownerUrl, asked)).toMatchObject({
      state: "expired",
      moves: 0,
    });
  });

  test.each(["approve", "decline"] as const)(
    "between judging and recording records nothing, to %s: consent.expired (CC-11, D29)",
    async (what) => {
      const asked = await ending(askedAgain);
      const stopped = wire.stopAt("bff.lock_consent", "answer");
      const answer = racer.obey(decision(asked, what));
      await stopped;
      await racer.signal("SIGSTOP");
      wire.release();
      await untilItEnds(asked);
      await racer.signal("SIGCONT");
      expect(await answer).toEqual([["consent.expired", null]]);
      expect(await effectsOf(store.database.ownerUrl, asked)).toMatchObject({
        state: "expired",
        decided: 0,
      });
    },
  );
});

test("a credential revoked while its execution waited for a lock executes nothing: auth.token_invalid", async () => {
  const asked = await approvedAgain(store, { ...first, agent: await store.caller("agent") });
  const stopped = wire.stopAt("bff.execute_consent", "statement");
  const answer = racer.obey(execution(asked));
  await stopped;
  await store.owner.query("begin");
  await store.owner.query("select set_config('eve.tenant', $1, true)", [first.view.binding.tenant]);
  await store.owner.query("select from bff.items where id = $1 for update", [asked.itemId]);
  wire.release();
  const waits =
    "select from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))";
  await expect
    .poll(async () => (await store.owner.query(waits)).rowCount, { timeout: 10_000 })
    .toBe(1);
  await store.owner.query("select bff.revoke_credential($1)", [asked.agent.credentialId]);
  await store.owner.query("commit");
  expect(await answer).toEqual([["auth.token_invalid", null]]);
  expect(await effectsOf(store.database.ownerUrl, asked)).toMatchObject({
    state: "approved",
    moves: 0,
  });
});
