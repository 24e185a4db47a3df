import pg from "pg";

/** Runs `work` on one connection as the owner of `ownerUrl`, and ends it. */
export async function asOwner<T>(
  ownerUrl: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
