import { canonicalJson } from "@eve/canonical-json";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { approvalKey } from "../../src/database/approval-key.ts";
import { consentSealPads } from "../../src/database/row-seal.ts";
import { effectsOf, ONCE } from "../races/effects.ts";
import { approvedAgain, type Requested, requested, shipCall } from "./call.ts";
import { codeOf } from "./codes.ts";
import { createStore, open, type Store, value } from "./store.ts";

let store: Store;
let first: Requested;
beforeAll(async () => {
  store = await createStore();
  first = await requested(store);
});
afterAll(() => store[Symbol.asyncDispose]());

/** Executes on a connection of its own at a level; the code, or the SQLSTATE. */
async function executeAt(level: string, { agent, view, call }: Requested): Promise<string> {
  const session = await open(store.database.url);
  try {
    await session.query(`begin isolation level ${level}`);
    const { rows } = await session.query<{ answer: { ok: boolean; code?: string } }>(
      "select bff.execute_consent($1, $2, $3, $4, $5, $6, $7, $8, $9) as answer",
      [
        agent.credentialId,
        view.id,
        call.integration,
        call.tool,
        canonicalJson(call.arguments),
        canonicalJson(call.toolPins),
        call.entryDigest,
        approvalKey(store.keys, view.id),
        consentSealPads(store.keys, view.id),
      ],
    );
    await session.query("commit");
    return rows[0]?.answer.code ?? "ok";
  } catch (error) {
    return error instanceof Error && "code" in error ? String(error.code) : String(error);
  } finally {
    await session.end();
  }
}

describe("16 executions at once", () => {
  test.each([
    ["read committed", ["consent.consumed"]],
    // A loser that had looked before the winner's commit is turned away by PostgreSQL (serialization failure).
    ["repeatable read", ["consent.consumed", "40001"]],
    ["serializable", ["consent.consumed", "40001"]],
  ])("have one effect under %s: consent.consumed (CC-08)", async (level, losers) => {
    const asked = await approvedAgain(store, first);
    const codes = await Promise.all(Array.from({ length: 16 }, () => executeAt(level, asked)));
    expect(codes.filter((code) => code === "ok")).toHaveLength(1);
    expect([...losers, "ok"]).toEqual(expect.arrayContaining(codes));
    expect(await effectsOf(store.database.ownerUrl, asked)).toMatchObject(ONCE);
  });
});

test("40 requests at once of one actor are 32 that wait: consent.quota_exceeded (CS-14)", async () => {
  const agent = await store.caller("agent");
  const items = [];
  for (let count = 0; count < 40; count += 1) items.push(await store.item());
  const asked = await Promise.all(
    items.map((itemId) => store.bff.requestConsent(agent, shipCall(itemId))),
  );
  const codes = asked.map(codeOf);
  expect(codes.filter((code) => code === "ok")).toHaveLength(32);
  expect(codes.filter((code) => code === "consent.quota_exceeded")).toHaveLength(8);
});

describe("with a pooler between, that gives each transaction another connection", () => {
  test("nothing is missed: no connection keeps a lock, and no function takes one that outlives its transaction (CC-07)", async () => {
    const asked = await approvedAgain(store, first);
    value(await store.bff.executeConsent(asked.agent, asked.view.id, asked.call));
    const { rows: locks } = await store.service.query(
      "select from pg_locks where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())",
    );
    expect(locks).toEqual([]);
    const { rows: functions } = await store.owner.query<{ name: string; body: string }>(
      "select proname as name, coalesce(pg_get_function_sqlbody(oid), prosrc) as body from pg_proc where pronamespace = 'bff'::regnamespace",
    );
    expect(functions.length).toBeGreaterThan(20);
    const keeps = /pg_(?:try_)?advisory_(?:un)?lock|set_config\([^)]*\bfalse\)|\bset session\b/;
    expect(functions.filter(({ body }) => keeps.test(body))).toEqual([]);
    expect(functions.some(({ body }) => /pg_advisory_xact_lock/.test(body))).toBe(true);
  });

  test("nothing is left to the next: a transaction's tenant ends with it (CC-07)", async () => {
    const asked = await approvedAgain(store, first);
    const session = await open(store.database.url);
    await session.query(
      "select bff.execute_consent($1, $2, 'x', 'y', '{}', '{}', 'z', '\\x00', '\\x00')",
      [asked.agent.credentialId, asked.view.id],
    );
    const { rows } = await session.query("select current_setting('eve.tenant', true) as tenant");
    expect(rows).toEqual([{ tenant: "" }]);
    await session.end();
  });
});
