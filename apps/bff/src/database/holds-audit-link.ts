import { sql } from "kysely";
import type { Position } from "../audit/link.ts";
import type { Client } from "./client.ts";
import { DatabaseError } from "./errors.ts";

/** Whether the chain over the audit rows has this link at this place. */
export async function holdsAuditLink(client: Client, { seq, link }: Position): Promise<boolean> {
  const { rows } = await sql<{
    held: boolean;
  }>`select bff.audit_holds(${seq}, ${link}) as held`.execute(client);
  const held = rows[0]?.held;
  if (held === undefined)
    throw new DatabaseError("database.answer_invalid", "The audit chain is silent.");
  return held;
}
