import {
  approvalMac,
  decodeBinding,
  isConsentId,
  judgeDecision,
  judgeItem,
  parsePreview,
} from "@eve/consent-binding";
import { instantMs, type Refusal, type RefusalCode } from "@eve/registry-schema";
import { type RawBuilder, sql, type Transaction } from "kysely";
import type { BffKeys } from "../credentials/keys.ts";
import { approvalKey } from "./approval-key.ts";
import type { Client } from "./client.ts";
import type { Caller, Decision, Outcome } from "./database.ts";
import { callFunction } from "./functions.ts";
import { type LockedConsent, lockConsent } from "./locked-consent.ts";
import { consentSealPads } from "./row-seal.ts";
import { isStorable } from "./storable.ts";
import type { Tables } from "./tables.ts";

const MAX_REASON = 1000;

/**
 * Approves or declines: locks the consent and its item, judges with consent-binding's rules at the clock read after the
 * locks, and records, all in one transaction. The key of approvals never reaches the database here.
 */
export async function decideConsent(
  client: Client,
  keys: BffKeys,
  caller: Caller,
  consentId: string,
  decision: Decision,
): Promise<Outcome<void>> {
  if (!isConsentId(consentId)) return { ok: false, code: "consent.not_found" };
  return client.transaction().execute(async (trx) => {
    const { credentialId } = caller;
    const locked = await lockConsent(trx, keys, credentialId, consentId);
    if (!locked.ok) return locked;
    const refused = judge(keys, caller, consentId, decision, locked.value);
    if (refused !== undefined) {
      const answer = await record(
        trx,
        sql`bff.record_refused_decision(${credentialId}, ${consentId}, ${refused}, ${consentSealPads(keys, consentId)})`,
      );
      return answer.ok ? answer : { ...answer, ...toldWith(refused, locked.value) };
    }
    return record(trx, recording(keys, caller, consentId, decision, locked.value));
  });
}

/** What is told beside a code: what was recorded when the approval was used, or the state that a decision came to. */
function toldWith(
  code: RefusalCode,
  locked: LockedConsent | null,
): Pick<Extract<Outcome<void>, { readonly ok: false }>, "outcome" | "state"> {
  if (code === "consent.consumed" && locked?.outcome) return { outcome: locked.outcome };
  return code === "consent.decided" && locked ? { state: locked.consent.state } : {};
}

/** The first reason against the decision. An item that moved on meanwhile ends an approval before it begins. */
function judge(
  keys: BffKeys,
  caller: Caller,
  consentId: string,
  { decision, digest, reason }: Decision,
  locked: LockedConsent | null,
): RefusalCode | undefined {
  const now = locked ? instantMs(locked.now) : 0;
  const key = approvalKey(keys, consentId);
  const [refusal] = judgeDecision(locked?.consent, caller, digest, now, key);
  if (refusal && BEFORE_ITS_ROW.includes(refusal.code)) return refusal.code;
  if (locked && !locked.isAsWritten) return "consent.integrity";
  if (refusal) return refusal.code;
  if (!isReason(reason)) return "request.invalid";
  return decision === "approve" && locked ? staleness(locked)[0]?.code : undefined;
}

/** What is refused before the row is looked at: who may not decide is not told that it was altered. */
const BEFORE_ITS_ROW: readonly RefusalCode[] = [
  "consent.approver_not_operator",
  "consent.not_found",
  "consent.self_approval",
];

function isReason(reason: string): boolean {
  return reason.trim() !== "" && reason.length <= MAX_REASON && isStorable(reason);
}

function staleness({ consent, item }: LockedConsent): readonly Refusal[] {
  const preview = parsePreview(decodeBinding(consent.binding)?.preview);
  return preview ? judgeItem(preview, item) : [];
}

function recording(
  keys: BffKeys,
  { credentialId, principal }: Caller,
  consentId: string,
  { decision, digest, reason }: Decision,
  locked: LockedConsent | null,
): RawBuilder<unknown> {
  const at = locked?.now;
  const mac =
    decision === "approve" && at !== undefined
      ? approvalMac(approvalKey(keys, consentId), { digest, approver: principal, at })
      : null;
  return sql`bff.record_decision(${credentialId}, ${consentId}, ${decision}, ${digest}, ${reason}, ${at}, ${mac}, ${consentSealPads(keys, consentId)})`;
}

async function record(trx: Transaction<Tables>, call: RawBuilder<unknown>): Promise<Outcome<void>> {
  const answer = await callFunction(trx, call);
  return answer.ok ? { ok: true, value: undefined } : answer;
}
