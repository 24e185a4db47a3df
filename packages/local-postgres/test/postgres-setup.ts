import { Client } from "pg";
import { SERVICE_ROLE } from "../src/index.ts";
import { postgresSetup } from "../src/vitest.ts";

/** A schema of one table, which the service may read but not write. */
async function migrate(ownerUrl: string): Promise<void> {
  const client = new Client({ connectionString: ownerUrl });
  await client.connect();
  await client.query("create table item (id integer primary key)");
  await client.query("insert into item values (1)");
  await client.query(`grant select on item to ${SERVICE_ROLE}`);
  await client.end();
}

export default postgresSetup({ migrate });
