import type { SealerClient } from "./sealer-client.ts";

/** Audit rows that the chain does not have yet: nothing proves them. */
export interface Unsealed {
  readonly rows: number;
  /** The lowest ids, at most 20. */
  readonly ids: readonly string[];
  /** Age of the oldest in whole seconds by the database's clock; null where there is none. */
  readonly oldestSeconds: number | null;
}

const ABSENT =
  "from bff.audit a where not exists (select from bff.audit_chain c where c.row_id = a.id)";
const UNSEALED = `
select count(*)::int as rows, array(select a.id::text ${ABSENT} order by a.id limit 20) as ids,
  floor(extract(epoch from clock_timestamp() - min(a.at) filter (where isfinite(a.at))))::float8 as oldest
${ABSENT}`;

/** Finds them by their absence from the chain. */
export async function findUnsealed(client: SealerClient): Promise<Unsealed> {
  const { rows } = await client.query<{
    rows: number;
    ids: readonly string[];
    oldest: number | null;
  }>(UNSEALED);
  const [found] = rows;
  return { rows: found?.rows ?? 0, ids: found?.ids ?? [], oldestSeconds: found?.oldest ?? null };
}
