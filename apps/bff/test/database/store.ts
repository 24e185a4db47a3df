import { createDatabase, type TestDatabase } from "@eve/local-postgres/vitest";
import { randomBytes } from "node:crypto";
import pg from "pg";
import {
  type BffDatabase,
  type BffKeys,
  type Caller,
  connectDatabase,
  type CredentialClass,
  type CredentialRequest,
  deriveKeys,
  type ItemState,
  mintCredential,
} from "../../src/database/database.ts";

/** A migrated database of the test file's own, the service on it, and the owner's hands behind it. */
export interface Store extends AsyncDisposable {
  readonly database: Omit<TestDatabase, "sealerUrl">;
  readonly keys: BffKeys;
  readonly bff: BffDatabase;
  /** The owner, bound by row level security like everybody. */
  readonly owner: pg.Client;
  /** The service's role, outside the service. */
  readonly service: pg.Client;
  /** The caller of a new credential. */
  readonly caller: (
    credentialClass: CredentialClass,
    changes?: Partial<CredentialRequest>,
  ) => Promise<Caller>;
  /** The bearer of a new credential. */
  readonly bearer: (
    credentialClass: CredentialClass,
    changes?: Partial<CredentialRequest>,
  ) => Promise<string>;
  /** A new item of the tenant, brought to a state by its own way. */
  readonly item: (tenant?: string, state?: "queued" | "claimed" | "submitted") => Promise<string>;
  readonly itemOf: (
    tenant: string,
    itemId: string,
  ) => Promise<{ state: ItemState; version: number }>;
  /** Runs the owner's SQL for a tenant in one transaction, past the triggers that guard the rows. */
  readonly unguarded: (tenant: string, text: string, values?: readonly unknown[]) => Promise<void>;
  /** Raises an item's version, and sets its state if one is given, and tells it in the audit, as a step does. */
  readonly touchItem: (tenant: string, itemId: string, state?: ItemState) => Promise<void>;
  /** Stops the database's clock at an instant, or lets it run `offset` ms ahead. */
  readonly setClock: (clock: { at: string } | { offset: number }) => Promise<void>;
  /** Every row of every table, as text. */
  readonly dump: () => Promise<Readonly<Record<string, readonly string[]>>>;
}

const SCOPES = ["workbench:read", "workbench:write", "workbench:publish"];
const TABLES = ["items", "notes", "history", "consents", "audit", "credentials", "registries"];
const GUARDED = ["items", "notes", "history", "consents", "audit"];

const TOLD = `insert into bff.audit (at, tenant, actor, principal, credential, action, subject, detail)
  select bff.clock(), i.tenant, 'elsewhere', 'elsewhere', gen_random_uuid(), 'item.' || i.state, i.id,
    jsonb_build_object('rowSha256', bff.item_digest(i)) from bff.items i where i.id = $1`;

/** The default tenant of a test. */
export const TENANT = "acme";

/** Makes a {@link Store}, on a database of its own or on the given one; dispose of it in afterAll. */
export async function createStore(given?: Omit<TestDatabase, "sealerUrl">): Promise<Store> {
  const database = given ?? (await createDatabase());
  const keys = deriveKeys(randomBytes(32));
  const bff = connectDatabase({ url: database.url, keys });
  const [owner, service] = await Promise.all([open(database.ownerUrl), open(database.url)]);
  let made = 0;
  const makers = new Map<string, Promise<readonly [operator: Caller, agent: Caller]>>();
  const bearer: Store["bearer"] = (credentialClass, changes = {}) => {
    made += 1;
    const name = `${credentialClass}-${made}`;
    return mintCredential(database.ownerUrl, keys, {
      class: credentialClass,
      realm: "local",
      principal: `${name}@eve.example`,
      actor: name,
      tenant: TENANT,
      scopes: credentialClass === "shared" ? ["workbench:read"] : SCOPES,
      expiresAt: new Date(Date.now() + 86_400_000),
      ...changes,
    });
  };
  const caller: Store["caller"] = async (credentialClass, changes) =>
    value(await bff.authenticate(await bearer(credentialClass, changes)));
  const unguarded: Store["unguarded"] = async (tenant, text, values = []) => {
    await owner.query("begin");
    try {
      await owner.query("select set_config('eve.tenant', $1, true)", [tenant]);
      for (const table of GUARDED)
        await owner.query(`alter table bff.${table} disable trigger user`);
      await owner.query(text, [...values]);
      for (const table of GUARDED)
        await owner.query(`alter table bff.${table} enable trigger user`);
      await owner.query("commit");
    } catch (error) {
      await owner.query("rollback");
      throw error;
    }
  };
  const touchItem: Store["touchItem"] = async (tenant, itemId, state) => {
    const step = "state = coalesce($2, state), version = version + 1";
    await unguarded(tenant, `update bff.items set ${step} where id = $1`, [itemId, state ?? null]);
    await unguarded(tenant, TOLD, [itemId]);
  };
  return {
    database,
    keys,
    bff,
    touchItem,
    owner,
    service,
    bearer,
    caller,
    unguarded,
    item: async (tenant = TENANT, state = "submitted") => {
      const known = makers.get(tenant) ?? makersOf(caller, tenant);
      makers.set(tenant, known);
      const [operator, agent] = await known;
      const { id } = value(await bff.createItem(operator, { title: "Fix", description: "" }));
      if (state === "queued") return id;
      value(await bff.claimItem(agent, id));
      if (state === "submitted") value(await bff.submitChange(agent, id, "Fixed", "a".repeat(64)));
      return id;
    },
    itemOf: async (tenant, itemId) => {
      await owner.query("begin");
      await owner.query("select set_config('eve.tenant', $1, true)", [tenant]);
      const { rows } = await owner.query<{ state: ItemState; version: number }>(
        "select state, version from bff.items where id = $1",
        [itemId],
      );
      await owner.query("commit");
      return required(rows[0]);
    },
    setClock: async (clock) => {
      const now =
        "at" in clock
          ? `timestamptz '${clock.at}'`
          : `date_trunc('milliseconds', clock_timestamp()) + interval '${clock.offset} ms'`;
      await owner.query(
        `create or replace function bff.clock() returns timestamptz language sql volatile return ${now}`,
      );
    },
    dump: () => dump(owner),
    [Symbol.asyncDispose]: async () => {
      await bff.close();
      await Promise.all([owner.end(), service.end()]);
      await database.drop();
    },
  };
}

function makersOf(
  caller: Store["caller"],
  tenant: string,
): Promise<readonly [operator: Caller, agent: Caller]> {
  return Promise.all([caller("operator", { tenant }), caller("agent", { tenant })]);
}

/** A connection; the test ends it. */
export async function open(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  // Where the server ends it, its next query tells.
  client.on("error", () => undefined);
  await client.connect();
  return client;
}

/** The value of an outcome; anything else fails the test. */
export function value<T>(outcome: { ok: true; value: T } | { ok: false; code: string }): T {
  if (outcome.ok) return outcome.value;
  throw new Error(`expected a value, was ${outcome.code}`);
}

/** A value that is there; anything else fails the test. */
export function required<T>(given: T | null | undefined): T {
  if (given === undefined || given === null) throw new Error("expected a value, was none");
  return given;
}

async function dump(owner: pg.Client): Promise<Record<string, string[]>> {
  const { rows: tenants } = await owner.query<{ tenant: string }>(
    "select distinct tenant from bff.credentials order by 1",
  );
  const all: Record<string, string[]> = Object.fromEntries(TABLES.map((table) => [table, []]));
  for (const table of TABLES) {
    for (const { tenant } of GUARDED.includes(table) ? tenants : [{ tenant: "-" }]) {
      await owner.query("begin");
      await owner.query("select set_config('eve.tenant', $1, true)", [tenant]);
      const { rows } = await owner.query<{ row: string }>(
        `select t::text as row from bff.${table} t order by 1`,
      );
      await owner.query("commit");
      all[table]?.push(...rows.map(({ row }) => row));
    }
  }
  return all;
}
