import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type BffDatabase, connectDatabase, deriveKeys } from "../../src/database/database.ts";
import { approved } from "./call.ts";
import { codeOf } from "./codes.ts";
import { createStore, type Store, value } from "./store.ts";

let store: Store;
let away: BffDatabase;
beforeAll(async () => {
  store = await createStore();
  const url = "postgresql://eve_service:x@127.0.0.1:1/eve";
  away = connectDatabase({ url, keys: deriveKeys(randomBytes(32)) });
});
afterAll(async () => {
  await away.close();
  await store[Symbol.asyncDispose]();
});

test("where nothing listens, is not ready and says so: service.unavailable", async () => {
  const caller = await store.caller("agent");
  expect(await away.ready()).toBe(false);
  expect(codeOf(await away.getItem(caller, "item-1"))).toBe("service.unavailable");
  await expect(away.now()).rejects.toThrow("ECONNREFUSED");
});

test("goes on after its connections were cut", async () => {
  const agent = await store.caller("agent");
  const id = await store.item();
  const { rowCount } = await store.service.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and usename = current_user and pid <> pg_backend_pid()",
  );
  expect(rowCount).toBeGreaterThan(0);
  await expect
    .poll(async () =>
      codeOf(await store.bff.getItem(agent, id).catch(() => ({ ok: false as const, code: "cut" }))),
    )
    .toBe("ok");
});

test("another key of approvals executes nothing: consent.integrity", async () => {
  const asked = await approved(store);
  const keys = { ...store.keys, approvals: randomBytes(32) };
  const other = connectDatabase({ url: store.database.url, keys });
  expect(codeOf(await other.executeConsent(asked.agent, asked.view.id, asked.call))).toBe(
    "consent.integrity",
  );
  await other.close();
  value(await store.bff.executeConsent(asked.agent, asked.view.id, asked.call));
});

test("asks for read committed, whatever the server's default, and for bounded waits", async () => {
  await store.owner.query(
    `alter database ${new URL(store.database.url).pathname.slice(1)} set default_transaction_isolation = 'serializable'`,
  );
  const asked = await approved(store);
  const bff = connectDatabase({ url: store.database.url, keys: store.keys });
  const all = Array.from({ length: 20 }, () =>
    bff.executeConsent(asked.agent, asked.view.id, asked.call),
  );
  const codes = (await Promise.all(all)).map(codeOf).toSorted();
  expect(codes).toEqual([...Array.from({ length: 19 }, () => "consent.consumed"), "ok"]);
  await bff.close();
});
