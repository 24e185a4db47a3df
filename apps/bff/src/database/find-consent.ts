import { isSha256 } from "@eve/canonical-json";
import {
  type ConsentState,
  deadlineMs,
  decodeBinding,
  isConsentId,
  judgeIntegrity,
  type StoredConsent,
} from "@eve/consent-binding";
import { formatInstant } from "@eve/registry-schema";
import { sql } from "kysely";
import type { BffKeys } from "../credentials/keys.ts";
import { approvalKey } from "./approval-key.ts";
import { type Client, readAs } from "./client.ts";
import { clock } from "./clock.ts";
import type { Caller, ConsentView, Outcome } from "./database.ts";
import { instantOf } from "./instants.ts";
import { isSealedConsent, type RowFields } from "./row-seal.ts";
import type { Tables } from "./tables.ts";

type Columns = Tables["bff.consents"];

interface ConsentRow extends Columns {
  readonly fields: RowFields;
  readonly isReopened: boolean;
}

/**
 * A consent as its requester and its tenant's operators see it; for anybody else, and an unknown one,
 * `consent.not_found`. One that was altered behind the service is not shown: `consent.integrity`.
 */
export async function findConsent(
  client: Client,
  keys: BffKeys,
  caller: Caller,
  consentId: string,
): Promise<Outcome<ConsentView>> {
  if (!isConsentId(consentId)) return { ok: false, code: "consent.not_found" };
  const found = await readAs(client, caller.tenant, async (trx) => ({
    row: await trx
      .selectFrom("bff.consents")
      .selectAll()
      .select([
        sql<RowFields>`bff.consent_fields(consents)`.as("fields"),
        sql<boolean>`bff.is_reopened(consents)`.as("isReopened"),
      ])
      .where("id", "=", consentId)
      .executeTakeFirst(),
    now: await clock(trx),
  }));
  return found.row && maySee(caller, found.row)
    ? viewOf(keys, found.row, found.now)
    : { ok: false, code: "consent.not_found" };
}

function maySee(caller: Caller, { actor, principal }: ConsentRow): boolean {
  const asked = caller.actor === actor && caller.principal === principal;
  return caller.class === "operator" || (caller.class === "agent" && asked);
}

function viewOf(keys: BffKeys, row: ConsentRow, now: number): Outcome<ConsentView> {
  const stored = storedOf(row);
  const { id, digest } = stored;
  const [altered] = judgeIntegrity(stored, approvalKey(keys, id));
  const isAsWritten = !row.isReopened && isSealedConsent(keys, id, row.fields, row.seal);
  const [binding, deadline] = [decodeBinding(stored.binding), deadlineMs(stored)];
  if (altered || !isAsWritten || !binding || deadline === undefined || !isSha256(digest))
    return { ok: false, code: "consent.integrity", consentId: id };
  return {
    ok: true,
    value: {
      id,
      state: isOpen(row.state) && now >= deadline ? "expired" : row.state,
      digest,
      binding,
      createdAt: instantOf(row.created_at),
      expiresAt: formatInstant(deadline),
      decidedBy: row.decided_by,
      outcome: row.outcome,
    },
  };
}

function isOpen(state: ConsentState): boolean {
  return state === "pending" || state === "approved";
}

function storedOf(row: ConsentRow): StoredConsent {
  const { id, state, principal, actor, tenant, binding, digest } = row;
  const { decided_by: approver, decided_at: at, approval_mac: mac } = row;
  const approval =
    approver === null || at === null || mac === null ? null : { approver, at: instantOf(at), mac };
  return { id, state, principal, actor, tenant, binding, digest, approval };
}
