import { sql } from "kysely";
import * as z from "zod";
import { bearerMac, isBearer } from "../credentials/bearer.ts";
import type { Caller } from "../credentials/caller.ts";
import type { BffKeys } from "../credentials/keys.ts";
import type { Client } from "./client.ts";

const row = z.object({
  id: z.string(),
  class: z.enum(["shared", "agent", "operator"]),
  realm: z.enum(["live", "local"]),
  principal: z.string(),
  actor: z.string(),
  tenant: z.string(),
  scopes: z.array(z.string()),
});

/** The caller behind a bearer; nothing but the exact form is looked up, and by its MAC alone. */
export async function authenticate(
  client: Client,
  keys: BffKeys,
  bearer: string,
): Promise<Caller | undefined> {
  if (!isBearer(bearer)) return undefined;
  const { rows } = await sql`select * from bff.authenticate(${bearerMac(keys, bearer)})`.execute(
    client,
  );
  if (rows.length === 0) return undefined;
  const { id, ...caller } = row.parse(rows[0]);
  return { credentialId: id, ...caller };
}
