import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connectDatabase } from "../../src/database/database.ts";
import { approved, requested, type Requested } from "./call.ts";
import { codeOf, sqlStateOf } from "./codes.ts";
import { createStore, open, type Store } from "./store.ts";

const DENIED = "42501";
const APPEND_ONLY = "23001";
/** A type of the session's own with the name of PostgreSQL's, which remembers as whom it was looked at. */
const MINE = `
  create function pg_temp.ran_as() returns pg_catalog.text language sql
    return pg_catalog.current_setting('eve.ran_as', true);
  create function pg_temp.run(at pg_catalog.timestamptz) returns pg_catalog.bool language plpgsql as $$ begin
    perform pg_catalog.set_config('eve.ran_as', current_user::pg_catalog.text, false); return true;
  end $$;
  create domain pg_temp.timestamptz as pg_catalog.timestamptz check (pg_temp.run(value));
`;

let store: Store;
let ours: Requested;
let theirs: Requested;
beforeAll(async () => {
  store = await createStore();
  [ours, theirs] = [await approved(store), await approved(store, "globex")];
});
afterAll(async () => {
  await store[Symbol.asyncDispose]();
});

/** One statement in a transaction for a tenant, which is rolled back whatever it did. */
async function attempt(who: "service" | "owner", tenant: string, text: string): Promise<string> {
  const client = store[who];
  await client.query("begin");
  try {
    await client.query("select set_config('eve.tenant', $1, true)", [tenant]);
    return await sqlStateOf(client.query(text));
  } finally {
    await client.query("rollback");
  }
}

describe("the service's role, with SQL of its own", () => {
  test.each([
    "update bff.consents set binding = '\\x7b7d'",
    "update bff.consents set state = 'approved'",
    "update bff.consents set expires_at = expires_at + interval '1 year'",
    "insert into bff.consents (id) values (gen_random_uuid())",
    "delete from bff.consents",
    "truncate bff.consents",
    "update bff.consents set decided_by = 'nobody'",
    "update bff.consents set approval_mac = repeat('a', 64)",
    "update bff.consents set outcome = '{}'",
    "update bff.consents set principal = 'nobody'",
    "select * from bff.consents for update",
    "lock table bff.consents in row exclusive mode",
    "update bff.audit set actor = 'nobody'",
    "delete from bff.audit",
    "truncate bff.audit",
    "insert into bff.audit (at, tenant, actor, principal, credential, action, subject, detail) values (now(), 'acme', 'a', 'a', gen_random_uuid(), 'a', 'a', '{}')",
    "update bff.items set state = 'shipped'",
    "insert into bff.items (id, tenant, title, description, created_at, updated_at) values ('x', 'acme', 't', '', now(), now())",
    "delete from bff.items",
    "update bff.history set actor = 'nobody'",
    "update bff.notes set text = ''",
    "select * from bff.credentials",
    "update bff.credentials set class = 'operator'",
    "update bff.credentials set revoked_at = null",
    "insert into bff.credentials (mac, class, realm, principal, actor, tenant, scopes, expires_at) values ('\\x', 'operator', 'live', 'a', 'a', 'acme', '{}', now())",
    "delete from bff.credentials",
    "truncate bff.credentials cascade",
    "insert into bff.registries values ('production', 99, repeat('a', 64), now())",
    "update bff.registries set sequence = 0",
    "alter table bff.audit disable trigger all",
    "alter table bff.items no force row level security",
    "alter table bff.consents disable trigger consents_step",
    "alter table bff.consents alter column digest drop expression",
    "drop trigger audit_appended on bff.audit",
    "alter function bff.execute_consent(uuid, uuid, text, text, text, text, text, bytea, bytea) set search_path = pg_temp",
    "create function bff.mine() returns int language sql return 1",
    "create function public.mine() returns int language sql return 1",
    "drop policy own_tenant on bff.items",
    "create table bff.mine (id int)",
    "set local role eve_owner",
    "set local session_replication_role = replica",
    "select bff.enter(gen_random_uuid())",
    "select bff.mint_credential(gen_random_uuid(), '\\x', 'operator', 'live', 'a', 'a', 'acme', '{}', now(), '')",
    "select bff.revoke_credential(gen_random_uuid())",
    "select bff.close_consent(null, null, 'voided', 'x', now(), '\\x')",
    "select bff.approval_mac('\\x00', null)",
    "select bff.seal('\\x00', 'eve/consent-row/1', '{}')",
    "select bff.consent_seal('\\x00', null)",
    "select bff.tell_move(null, 'queued', null, null)",
    "select bff.is_as_told(null)",
    "update bff.consents set seal = repeat('a', 64)",
    "update bff.credentials set seal = repeat('a', 64)",
    "create or replace function bff.clock() returns timestamptz language sql return now()",
  ])("may not: %s", async (text) => {
    expect(await attempt("service", "acme", text)).toBe(DENIED);
  });

  test("reads its transaction's tenant alone", async () => {
    for (const [tenant, own] of [
      ["acme", ours],
      ["globex", theirs],
    ] as const) {
      await store.service.query("begin");
      await store.service.query("select set_config('eve.tenant', $1, true)", [tenant]);
      const seen = await store.service.query<{ id: string }>("select id::text from bff.consents");
      const tenants = await store.service.query(
        "select distinct tenant from (select tenant from bff.items union all select tenant from bff.history union all select tenant from bff.audit) t",
      );
      await store.service.query("commit");
      expect(seen.rows).toEqual([{ id: own.view.id }]);
      expect(tenants.rows).toEqual([{ tenant }]);
    }
  });

  test.each(["items", "history", "consents", "audit"])(
    "reads no %s in a transaction that names no tenant",
    async (table) => {
      expect(await sqlStateOf(store.service.query(`select * from bff.${table}`))).toBe(DENIED);
      expect(await attempt("service", "", `select * from bff.${table}`)).toBe(DENIED);
    },
  );

  test("leaves no tenant behind for the next transaction of its connection", async () => {
    expect(await attempt("service", "acme", "select * from bff.items")).toBe("done");
    expect(await sqlStateOf(store.service.query("select * from bff.items"))).toBe(DENIED);
  });

  test("cannot record an approval that is worth anything: consent.integrity", async () => {
    const { operator, view, agent, call } = await requested(store);
    const text = `select bff.record_decision('${operator.credentialId}', '${view.id}', 'approve', '${view.digest}', 'r', bff.clock(), repeat('a', 64), '\\x00')`;
    await store.service.query(text);
    expect(codeOf(await store.bff.executeConsent(agent, view.id, call))).toBe("consent.integrity");
    expect(codeOf(await store.bff.findConsent(operator, view.id))).toBe("consent.integrity");
  });

  test("cannot have code of its own run as the owner: no function takes a session's types for PostgreSQL's", async () => {
    const { agent, view } = ours;
    const session = await open(store.database.url);
    try {
      await session.query(MINE);
      await session.query(
        "select bff.execute_consent($1, $2, 'x', 'y', '{}', '{}', 'z', '\\x00', '\\x00')",
        [agent.credentialId, view.id],
      );
      const { rows } = await session.query("select pg_temp.ran_as()");
      expect(rows).toEqual([{ ran_as: null }]);
    } finally {
      await session.end();
    }
  });

  test("meets no function that runs as the owner and does not search a session's objects last", async () => {
    const { rows } = await store.owner.query<{ paths: string }>(
      "select array_to_string(proconfig, ' ') as paths, count(*)::int from pg_proc where pronamespace = 'bff'::regnamespace and (prosecdef or proconfig is not null) group by 1",
    );
    expect(rows).toEqual([{ paths: "search_path=pg_catalog, pg_temp", count: expect.any(Number) }]);
  });

  test("cannot record a decision that was not judged", async () => {
    const { operator, view } = ours;
    const text = `select bff.record_decision('${operator.credentialId}', '${view.id}', 'approve', '${view.digest}', 'r', bff.clock(), repeat('a', 64), '\\x00')`;
    expect(await attempt("service", "acme", text)).toBe("23514");
  });
});

describe("the owner, by mistake", () => {
  test.each([
    "update bff.audit set actor = 'nobody'",
    "delete from bff.audit",
    "truncate bff.audit",
    "update bff.history set actor = 'nobody'",
    "delete from bff.notes; delete from bff.history",
    "delete from bff.items",
    "update bff.items set state = 'verified', version = version + 1",
    "update bff.items set title = 'another', state = 'shipped', version = version + 1",
    "update bff.consents set binding = '\\x7b7d'",
    "update bff.consents set actor = 'nobody'",
    "update bff.consents set expires_at = expires_at + interval '1 year'",
    "update bff.consents set state = 'pending'",
    "update bff.consents set state = 'declined', closed_at = now()",
    "update bff.consents set state = 'expired', closed_at = now(), approval_mac = repeat('a', 64)",
    "delete from bff.consents",
    "truncate bff.consents, bff.items, bff.notes, bff.history",
    "update bff.credentials set scopes = '{}'",
    "delete from bff.credentials",
  ])("may not: %s", async (text) => {
    expect(await attempt("owner", "acme", text)).toBe(APPEND_ONLY);
  });

  test("sees one tenant at a time too", async () => {
    expect(await attempt("owner", "", "select * from bff.items")).toBe(DENIED);
  });

  test("cannot write a digest: the database makes it of the binding", async () => {
    expect(await attempt("owner", "acme", "update bff.consents set digest = repeat('a', 64)")).toBe(
      "428C9",
    );
  });
});

test("a database of an earlier release is not ready", async () => {
  const rename = (from: string, to: string): Promise<unknown> =>
    store.owner.query(`alter function bff.${from}(bff.consents) rename to ${to}`);
  await rename("is_reopened", "elsewhere");
  expect(await store.bff.ready()).toBe(false);
  await rename("elsewhere", "is_reopened");
  expect(await store.bff.ready()).toBe(true);
});

test("a service with more rights than its role is not ready", async () => {
  const owned = connectDatabase({ url: store.database.ownerUrl, keys: store.keys });
  expect(await owned.ready()).toBe(false);
  expect(await store.bff.ready()).toBe(true);
  await owned.close();
});
