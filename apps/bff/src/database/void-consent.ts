import { isConsentId } from "@eve/consent-binding";
import { sql } from "kysely";
import type { BffKeys } from "../credentials/keys.ts";
import type { Client } from "./client.ts";
import type { Caller, Outcome, VoidingCode } from "./database.ts";
import { callFunction } from "./functions.ts";
import { consentSealPads } from "./row-seal.ts";

/** Ends an open consent of the caller, whose entry is not active, for good; one that has ended stays as it is. */
export async function voidConsent(
  client: Client,
  keys: BffKeys,
  { credentialId }: Caller,
  consentId: string,
  code: VoidingCode,
): Promise<Outcome<void>> {
  if (!isConsentId(consentId)) return { ok: false, code: "consent.not_found" };
  const answer = await callFunction(
    client,
    sql`bff.void_consent(${credentialId}, ${consentId}, ${code}, ${consentSealPads(keys, consentId)})`,
  );
  return answer.ok ? { ok: true, value: undefined } : answer;
}
