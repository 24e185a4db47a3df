import { propertyRuns } from "@eve/config/property-runs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { approvedAgain, type Requested, requested } from "../database/call.ts";
import { createStore, open, type Store, TENANT } from "../database/store.ts";
import { effectsOf, ONCE } from "./effects.ts";
import { execution, type Racer, startRacer } from "./racer.ts";
import { startWire } from "./wire.ts";

const KILLS = Math.min(100, propertyRuns(5));
const WAITS_FOR = "select from pg_locks where not granted and $1 = any(pg_blocking_pids(pid))";
/** A machine with more to do than it has cores answers late. */
const PATIENCE = { timeout: 10_000 };
const NONE = { state: "approved", moves: 0, versions: 0, consumed: 0, decided: 1, ended: 0 };

let store: Store;
let first: Requested;
let survivor: Racer;
beforeAll(async () => {
  store = await createStore();
  first = await requested(store);
  survivor = await startRacer({ url: store.database.url, keys: store.keys });
});
afterAll(async () => {
  await survivor[Symbol.asyncDispose]();
  await store[Symbol.asyncDispose]();
});

/** Runs `kill` so often, two at a time. */
async function times(count: number, kill: () => Promise<void>): Promise<void> {
  const lane = async (at: number): Promise<void> => {
    for (let done = at; done < count; done += 2) await kill();
  };
  await Promise.all([lane(0), lane(1)]);
}

/** Has another process ask again, as a client does that got no answer; afterwards there is one effect, told once. */
async function askAgain(asked: Requested, code: string): Promise<void> {
  const [answer] = await survivor.obey(execution(asked));
  const { outcome, ...effects } = await effectsOf(store.database.ownerUrl, asked);
  expect(effects).toEqual(ONCE);
  expect(answer).toEqual([code, outcome]);
}

describe(`a process of the service that is killed, ${KILLS} times`, () => {
  test("before its statement reaches PostgreSQL has done nothing, and the approval is still good once (CC-04)", () =>
    times(KILLS, async () => {
      await using wire = await startWire(store.database.url);
      await using racer = await startRacer({ url: wire.url, keys: store.keys });
      const asked = await approvedAgain(store, first);
      const stopped = wire.stopAt("bff.execute_consent", "statement");
      const answer = racer.obey(execution(asked)).catch(() => "no answer");
      await stopped;
      await racer.signal("SIGKILL");
      wire.cut();
      expect(await answer).toBe("no answer");
      expect(await effectsOf(store.database.ownerUrl, asked)).toMatchObject(NONE);
      await askAgain(asked, "ok");
    }));

  test("while its statement waits in PostgreSQL has done it once or not, and the next who asks learns which (CC-04)", () =>
    times(KILLS, async () => {
      await using racer = await startRacer({ url: store.database.url, keys: store.keys });
      const asked = await approvedAgain(store, first);
      const holder = await open(store.database.ownerUrl);
      const { rows } = await holder.query<{ pid: number }>("select pg_backend_pid() as pid");
      await holder.query("begin");
      await holder.query("select set_config('eve.tenant', $1, true)", [TENANT]);
      await holder.query("select from bff.items where id = $1 for update", [asked.itemId]);
      const answer = racer.obey(execution(asked)).catch(() => "no answer");
      await expect
        .poll(async () => (await holder.query(WAITS_FOR, [rows[0]?.pid])).rowCount, PATIENCE)
        .toBe(1);
      await racer.signal("SIGKILL");
      expect(await answer).toBe("no answer");
      await holder.query("commit");
      await holder.end();
      const [again] = await survivor.obey(execution(asked));
      const { outcome, ...effects } = await effectsOf(store.database.ownerUrl, asked);
      expect(effects).toEqual(ONCE);
      expect(["ok", "consent.consumed"]).toContain(again?.[0]);
      expect(again?.[1]).toEqual(outcome);
    }));

  test("after the commit and before its answer has done it, and the next who asks learns it: consent.consumed (CC-04)", () =>
    times(KILLS, async () => {
      await using wire = await startWire(store.database.url);
      await using racer = await startRacer({ url: wire.url, keys: store.keys });
      const asked = await approvedAgain(store, first);
      const stopped = wire.stopAt("bff.execute_consent", "answer");
      const answer = racer.obey(execution(asked)).catch(() => "no answer");
      await stopped;
      expect(await effectsOf(store.database.ownerUrl, asked)).toMatchObject(ONCE);
      await racer.signal("SIGKILL");
      wire.cut();
      expect(await answer).toBe("no answer");
      await askAgain(asked, "consent.consumed");
    }));
});
