import type pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sqlStateOf } from "../database/codes.ts";
import { open } from "../database/store.ts";
import { type SealedDatabase, sealedDatabase, well } from "./sealed-database.ts";

const DENIED = "42501";
const APPEND_ONLY = "23001";

let sealed: SealedDatabase;
let clients: Readonly<Record<"service" | "sealer" | "owner", pg.Client>>;
beforeAll(async () => {
  sealed = await sealedDatabase();
  await sealed.write(2, "acme");
  await sealed.write(1, "globex");
  await well(sealed.audit(["seal", "--once"]));
  const [service, sealer] = await Promise.all([
    open(sealed.database.url),
    open(sealed.database.sealerUrl),
  ]);
  clients = { service, sealer, owner: sealed.owner };
});
afterAll(async () => {
  await Promise.all([clients.service.end(), clients.sealer.end()]);
  await sealed[Symbol.asyncDispose]();
});

/** One statement in a transaction, which is rolled back whatever it did. */
async function attempt(who: keyof typeof clients, text: string): Promise<string> {
  await clients[who].query("begin");
  try {
    return await sqlStateOf(clients[who].query(text));
  } finally {
    await clients[who].query("rollback");
  }
}

describe("the service's role, with SQL of its own", () => {
  test.each([
    "select * from bff.audit_chain",
    "insert into bff.audit_chain (row_id) select 1",
    "update bff.audit_chain set link = ''",
    "delete from bff.audit_chain",
    "truncate bff.audit_chain",
    "select bff.seal_audit(1, null)",
    "select bff.audit_row_digest(null)",
    "alter table bff.audit_chain disable trigger all",
    "drop trigger audit_chain_made on bff.audit_chain",
    "set local role eve_sealer",
  ])("may not: %s", async (text) => {
    expect(await attempt("service", text)).toBe(DENIED);
  });
});

describe("the sealer's role, with SQL of its own", () => {
  test.each([
    "insert into bff.audit_chain (seq, row_id) values (9, 9)",
    "insert into bff.audit_chain (row_id, link) values (9, '')",
    "update bff.audit_chain set link = ''",
    "delete from bff.audit_chain",
    "truncate bff.audit_chain",
    "update bff.audit set actor = 'nobody'",
    "delete from bff.audit",
    "insert into bff.audit (at, tenant, actor, principal, credential, action, subject, detail) values (now(), 'acme', 'a', 'a', gen_random_uuid(), 'a', 'a', '{}')",
    "select * from bff.consents",
    "select * from bff.items",
    "select * from bff.credentials",
    "update bff.consents set state = 'approved'",
    "alter table bff.audit_chain disable trigger all",
    "set local role eve_service",
  ])("may not: %s", async (text) => {
    expect(await attempt("sealer", text)).toBe(DENIED);
  });

  test("runs the functions that sealing takes, and no other", async () => {
    const { rows } = await clients.sealer.query<{ proname: string }>(
      "select proname from pg_proc where pronamespace = 'bff'::regnamespace and has_function_privilege('eve_sealer', oid, 'execute') order by 1",
    );
    expect(rows.map(({ proname }) => proname)).toEqual([
      "audit_link",
      "audit_row_digest",
      "framed",
      "seal_audit",
    ]);
  });

  test("chains no row that there is not, and none twice", async () => {
    expect(await attempt("sealer", "insert into bff.audit_chain (row_id) values (999)")).toBe(
      "P0002",
    );
    expect(
      await attempt("sealer", "insert into bff.audit_chain (row_id) select min(id) from bff.audit"),
    ).toBe("23505");
  });

  test("reads the audit rows of all tenants, in a transaction that names none", async () => {
    const { rows } = await clients.sealer.query("select distinct tenant from bff.audit order by 1");
    expect(rows).toEqual([{ tenant: "acme" }, { tenant: "globex" }]);
  });
});

describe("the owner, by mistake", () => {
  test.each([
    ["update bff.audit_chain set link = ''", APPEND_ONLY],
    ["delete from bff.audit_chain", APPEND_ONLY],
    ["truncate bff.audit_chain", APPEND_ONLY],
    [
      "select set_config('eve.tenant', 'acme', true); insert into bff.audit_chain (row_id) select min(id) from bff.audit",
      DENIED,
    ],
  ])("may not: %s", async (text, state) => {
    expect(await attempt("owner", text)).toBe(state);
  });
});
