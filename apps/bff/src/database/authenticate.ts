import { sql } from "kysely";
import * as z from "zod";
import { bearerMac, isBearer } from "../credentials/bearer.ts";
import type { Caller } from "../credentials/caller.ts";
import { isSealedCredential } from "../credentials/credential-seal.ts";
import type { BffKeys } from "../credentials/keys.ts";
import type { Client } from "./client.ts";
import type { Outcome } from "./database.ts";

const row = z.object({
  id: z.string(),
  class: z.enum(["shared", "agent", "operator"]),
  realm: z.enum(["live", "local"]),
  principal: z.string(),
  actor: z.string(),
  tenant: z.string(),
  scopes: z.array(z.string()),
  fields: z.array(z.string()),
  seal: z.string().nullable(),
  isToldRevoked: z.boolean(),
});

/** A caller whose credential was found intact, and the columns that its seal is made over. */
export interface Authenticated {
  readonly caller: Caller;
  readonly fields: readonly string[];
}

/**
 * The caller behind a bearer; nothing but the exact form is looked up, and by its MAC alone. `auth.token_invalid` where
 * there is none, or none that was sealed; `consent.integrity` where the row is not what was minted, or is revoked by the
 * audit and not by the row.
 */
export async function authenticate(
  client: Client,
  keys: BffKeys,
  bearer: string,
): Promise<Outcome<Authenticated>> {
  if (!isBearer(bearer)) return NOBODY;
  const { rows } = await sql<{
    answer: unknown;
  }>`select bff.authenticate(${bearerMac(keys, bearer)}) as answer`.execute(client);
  const answer = rows[0]?.answer ?? null;
  if (answer === null) return NOBODY;
  const { id, fields, seal, isToldRevoked, ...caller } = row.parse(answer);
  if (seal === null) return NOBODY;
  if (isToldRevoked || !isSealedCredential(keys, fields, seal))
    return { ok: false, code: "consent.integrity" };
  return { ok: true, value: { caller: { credentialId: id, ...caller }, fields } };
}

const NOBODY = { ok: false, code: "auth.token_invalid" } as const;
