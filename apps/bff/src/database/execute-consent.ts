import { isJsonObject, type JsonObject } from "@eve/canonical-json";
import { isConsentId } from "@eve/consent-binding";
import { type RawBuilder, sql } from "kysely";
import type { BffKeys } from "../credentials/keys.ts";
import { approvalKey } from "./approval-key.ts";
import type { Client } from "./client.ts";
import type { Caller, Outcome, PublishCall } from "./database.ts";
import { DatabaseError } from "./errors.ts";
import { callFunction } from "./functions.ts";
import { refused } from "./refused.ts";
import { consentSealPads } from "./row-seal.ts";
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
  const using = argumentsOf(keys, consentId, call);
  // What cannot be stored was never approved.
  if (!using) return { ok: false, code: "consent.arguments_mismatch", consentId };
  const answer = await callFunction(client, sql`bff.execute_consent(${credentialId}, ${using})`);
  if (!answer.ok) return refused(answer, consentId);
  if (isJsonObject(answer.value)) return { ok: true, value: answer.value };
  throw new DatabaseError("database.answer_invalid", "An execution answered no outcome.");
}

/** The call as the database compares it, and the keys of this one consent; `undefined` for what cannot be stored. */
export function argumentsOf(
  keys: BffKeys,
  consentId: string,
  { integration, tool, entryDigest, toolPins, arguments: fields }: PublishCall,
): RawBuilder<unknown> | undefined {
  const [args, pins] = [storableJson(fields), storableJson(toolPins)];
  if (args === undefined || pins === undefined || !isStorable(integration, tool, entryDigest))
    return undefined;
  return sql`${consentId}, ${integration}, ${tool}, ${args}, ${pins}, ${entryDigest}, ${approvalKey(keys, consentId)}, ${consentSealPads(keys, consentId)}`;
}
