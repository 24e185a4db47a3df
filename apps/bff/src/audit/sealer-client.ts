import pg from "pg";

/** A connection of the sealer's role, as `pg` has it. */
export type SealerClient = pg.Client;

/** Runs `work` on one connection of the sealer's role, and ends it. */
export async function withSealer<T>(
  url: string,
  work: (client: SealerClient) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 10_000,
    lock_timeout: 30_000,
    idle_in_transaction_session_timeout: 60_000,
    options: "-c default_transaction_isolation=read\\ committed -c TimeZone=UTC",
    application_name: "eve-bff-sealer",
  });
  // One that breaks fails its query, which tells; with nobody to hear of it, it would end the process too.
  client.on("error", () => undefined);
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Runs `work` in a transaction; what fails is rolled back. */
export async function inTransaction<T>(
  client: SealerClient,
  mode: "" | "isolation level repeatable read read only",
  work: () => Promise<T>,
): Promise<T> {
  await client.query(`begin ${mode}`);
  try {
    const result = await work();
    await client.query("commit");
    return result;
  } catch (error) {
    await client.query("rollback").catch(() => undefined);
    throw error;
  }
}
