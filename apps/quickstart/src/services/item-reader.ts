import pg from "pg";
import type { ItemReading } from "../step.ts";
import { StepError } from "../step-error.ts";
import { TENANT } from "./credentials.ts";

/** Reads items through a connection of its own, so that nobody's word is taken for what an effect was. */
export interface ItemReader {
  readonly read: (itemId: string) => Promise<ItemReading>;
}

const QUERY = `
select i.state, i.version,
  (select count(*)::int from bff.history h where h.item = i.id and h.to_state = 'shipped') as shipments,
  (select count(*)::int from bff.history h where h.item = i.id and h.to_state in ('verified', 'rejected')) as verdicts
from bff.items i where i.id = $1`;

/** Opens a second connection to the database, which can only read, as the service's role and for this run's tenant. */
export async function openItemReader(
  url: string,
): Promise<ItemReader & { close(): Promise<void> }> {
  const client = new pg.Client({
    connectionString: url,
    options: `-c default_transaction_read_only=on -c eve.tenant=${TENANT}`,
  });
  await client.connect();
  return {
    read: async (itemId) => {
      const { rows } = await client.query<ItemReading>(QUERY, [itemId]);
      const [reading] = rows;
      if (reading === undefined) throw new StepError(`expected the item ${itemId}; found no row`);
      return reading;
    },
    close: () => client.end(),
  };
}
