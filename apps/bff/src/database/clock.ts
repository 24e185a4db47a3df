import { sql } from "kysely";
import type { Client } from "./client.ts";
import { DatabaseError } from "./errors.ts";

/** The database's clock now, in epoch ms; never the start of a transaction. */
export async function clock(client: Client): Promise<number> {
  const { rows } = await sql<{ now: Date }>`select bff.clock() as now`.execute(client);
  const now = rows[0]?.now.getTime();
  if (now === undefined) throw new DatabaseError("database.answer_invalid", "The clock is silent.");
  return now;
}
