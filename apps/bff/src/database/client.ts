import { Kysely, PostgresDialect, sql, type Transaction } from "kysely";
import pg from "pg";
import type { Tables } from "./tables.ts";

/** The service's connections, or a transaction on one of them. */
export type Client = Kysely<Tables>;

const POOL = {
  max: 10,
  connectionTimeoutMillis: 10_000,
  idleTimeoutMillis: 30_000,
  // Nobody waits for ever, and nobody holds a lock while asleep.
  lock_timeout: 5_000,
  statement_timeout: 10_000,
  idle_in_transaction_session_timeout: 10_000,
  query_timeout: 15_000,
  // Each function locks what it decides on; that is what correctness rests on, not on a server's default.
  options: "-c default_transaction_isolation=read\\ committed -c TimeZone=UTC",
  application_name: "eve-bff",
} as const;

/** A pool for the service's role. Nothing is connected before the first query. */
export function connect(url: string): Client {
  const pool = new pg.Pool({ ...POOL, connectionString: url });
  // A connection that breaks while idle is replaced at the next query, which tells if that fails.
  pool.on("error", () => undefined);
  // One that breaks in use fails its query, which tells; with nobody to hear of it, it would end the process too.
  pool.on("connect", (connection) => void connection.on("error", () => undefined));
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
}

/** Runs `work` in a read-only transaction that sees this tenant's rows alone. */
export function readAs<T>(
  client: Client,
  tenant: string,
  work: (trx: Transaction<Tables>) => Promise<T>,
): Promise<T> {
  return client
    .transaction()
    .setAccessMode("read only")
    .execute(async (trx) => {
      await sql`select set_config('eve.tenant', ${tenant}, true)`.execute(trx);
      return work(trx);
    });
}
