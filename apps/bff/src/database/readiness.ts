import { sql } from "kysely";
import type { Client } from "./client.ts";

/**
 * Whether the database answers, has the schema of this release, and holds this role to the service's rights: one that
 * bypasses row level security or owns the tables is not ready, however much works with it.
 */
export async function isReady(client: Client): Promise<boolean> {
  try {
    const { rows } = await sql<{ ready: boolean | null }>`select bff.clock() is not null
      and not exists (select from pg_roles where rolname = current_user and (rolsuper or rolbypassrls))
      and not exists (select from pg_class c where c.oid = 'bff.consents'::regclass
        and pg_has_role(current_user, c.relowner, 'member'))
      and to_regprocedure('bff.is_reopened(bff.consents)') is not null
      as ready`.execute(client);
    return rows[0]?.ready === true;
  } catch {
    return false;
  }
}
