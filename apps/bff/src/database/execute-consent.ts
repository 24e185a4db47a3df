import { isJsonObject, type JsonObject } from "@eve/canonical-json";
import { isConsentId } from "@eve/consent-binding";
import { sql } from "kysely";
import type { BffKeys } from "../credentials/keys.ts";
import { approvalKey } from "./approval-key.ts";
import type { Client } from "./client.ts";
import type { Caller, Outcome, PublishCall } from "./database.ts";
import { DatabaseError } from "./errors.ts";
import { callFunction } from "./functions.ts";
import { refused } from "./refused.ts";
import { isStorable, storableJson } from "./storable.ts";

/** Uses an approval: one statement, one round trip, one transaction; `bff.execute_consent` decides and does it all. */
export async function executeConsent(
  client: Client,
  keys: BffKeys,
  { credentialId }: Caller,
  consentId: string,
  call: PublishCall,
): Promise<Outcome<JsonObject>> {
  if (!isConsentId(consentId)) return { ok: false, code: "consent.not_found" };
  const { integration, tool, entryDigest } = call;
  const [fields, pins] = [storableJson(call.arguments), storableJson(call.toolPins)];
  // What cannot be stored was never approved.
  if (fields === undefined || pins === undefined || !isStorable(integration, tool, entryDigest))
    return { ok: false, code: "consent.arguments_mismatch", consentId };
  const answer = await callFunction(
    client,
    sql`bff.execute_consent(${credentialId}, ${consentId}, ${integration}, ${tool}, ${fields}, ${pins}, ${entryDigest}, ${approvalKey(keys, consentId)})`,
  );
  if (!answer.ok) return refused(answer, consentId);
  if (isJsonObject(answer.value)) return { ok: true, value: answer.value };
  throw new DatabaseError("database.answer_invalid", "An execution answered no outcome.");
}
