import type { JsonObject } from "@eve/canonical-json";
import { CONSENT_STATES, type StoredConsent } from "@eve/consent-binding";
import { type Instant, parseInstant } from "@eve/registry-schema";
import { Buffer } from "node:buffer";
import { sql } from "kysely";
import * as z from "zod";
import type { BffKeys } from "../credentials/keys.ts";
import type { Client } from "./client.ts";
import type { Outcome } from "./database.ts";
import { callFor } from "./functions.ts";
import { isSealedConsent } from "./row-seal.ts";

/** A consent and its item, locked, with the clock as it was once they were. */
export interface LockedConsent {
  readonly consent: StoredConsent;
  readonly outcome: JsonObject | null;
  /** Whether the row is sealed as it is, and the audit tells the same of it and of the item. */
  readonly isAsWritten: boolean;
  readonly item: { readonly itemId: string; readonly state: string; readonly version: number };
  readonly now: Instant;
}

const instant = z.custom<Instant>(
  (value) => typeof value === "string" && parseInstant(value) !== undefined,
);
const consent = z.object({
  id: z.string(),
  state: z.enum(CONSENT_STATES),
  principal: z.string(),
  actor: z.string(),
  tenant: z.string(),
  binding: z.string(),
  digest: z.string(),
  outcome: z.record(z.string(), z.json()).nullable(),
  approver: z.string().nullable(),
  at: instant.nullable(),
  mac: z.string().nullable(),
  fields: z.array(z.string().nullable()),
  seal: z.string().nullable(),
  isAsTold: z.boolean(),
});
const item = z.object({ itemId: z.string(), state: z.string(), version: z.int() });
const locked = z.union([
  z.object({ consent, item, now: instant }),
  z.object({ consent: z.null() }),
]);

/** Locks a consent of the operator's tenant and its item; a value of `null` for none, and for who is no operator. */
export async function lockConsent(
  client: Client,
  keys: BffKeys,
  credentialId: string,
  consentId: string,
): Promise<Outcome<LockedConsent | null>> {
  const answer = await callFor(
    client,
    sql`bff.lock_consent(${credentialId}, ${consentId})`,
    locked,
  );
  if (!answer.ok) return answer;
  if (!("now" in answer.value)) return { ok: true, value: null };
  const { consent: row, item: itemNow, now } = answer.value;
  const isAsWritten =
    row.isAsTold && isSealedConsent(keys, consentId, row.fields, row.seal) && row.id === consentId;
  const { outcome } = row;
  return { ok: true, value: { consent: storedOf(row), outcome, isAsWritten, item: itemNow, now } };
}

function storedOf(row: z.infer<typeof consent>): StoredConsent {
  const { id, state, principal, actor, tenant, digest, approver, at, mac } = row;
  const approval = approver === null || at === null || mac === null ? null : { approver, at, mac };
  const binding = Buffer.from(row.binding, "hex");
  return { id, state, principal, actor, tenant, digest, binding, approval };
}
