import { afterAll, beforeAll, expect, test } from "vitest";
import type { Caller, Item, Outcome } from "../../src/database/database.ts";
import { codeOf } from "./codes.ts";
import { createStore, type Store, TENANT } from "./store.ts";

let store: Store;
beforeAll(async () => {
  store = await createStore();
});
afterAll(async () => {
  await store[Symbol.asyncDispose]();
});

const WAITS =
  "select from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))";

/** What an agent is answered whose credential is revoked while its work on an item waits for the item's lock. */
async function revokedWhile(
  agent: Caller,
  itemId: string,
  work: () => Promise<Outcome<Item>>,
): Promise<Outcome<Item>> {
  await store.owner.query("begin");
  await store.owner.query("select set_config('eve.tenant', $1, true)", [TENANT]);
  await store.owner.query("select from bff.items where id = $1 for update", [itemId]);
  const answer = work();
  await expect
    .poll(async () => (await store.owner.query(WAITS)).rowCount, { timeout: 10_000 })
    .toBe(1);
  await store.owner.query("select bff.revoke_credential($1)", [agent.credentialId]);
  await store.owner.query("commit");
  return answer;
}

test("a credential revoked while its claim waited for a lock claims nothing: auth.token_invalid", async () => {
  const agent = await store.caller("agent");
  const itemId = await store.item(TENANT, "queued");
  const answer = await revokedWhile(agent, itemId, () => store.bff.claimItem(agent, itemId));
  expect(codeOf(answer)).toBe("auth.token_invalid");
  expect(await store.itemOf(TENANT, itemId)).toEqual({ state: "queued", version: 1 });
});

test("a credential revoked while its change waited for a lock submits nothing: auth.token_invalid", async () => {
  const agent = await store.caller("agent");
  const itemId = await store.item(TENANT, "queued");
  await store.bff.claimItem(agent, itemId);
  const answer = await revokedWhile(agent, itemId, () =>
    store.bff.submitChange(agent, itemId, "Sealed", "b".repeat(64)),
  );
  expect(codeOf(answer)).toBe("auth.token_invalid");
  expect(await store.itemOf(TENANT, itemId)).toEqual({ state: "claimed", version: 2 });
});
