import { Client } from "pg";

/** Runs one statement on a connection of its own and answers the rows. */
export async function query(url: string, text: string): Promise<readonly unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}
