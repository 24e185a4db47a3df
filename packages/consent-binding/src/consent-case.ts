import { equalDigests } from "@eve/canonical-json";
import { instantMs, type Refusal } from "@eve/registry-schema";
import { verifyApprovalMac } from "./approval-mac.ts";
import { type ConsentBinding, decodeBinding } from "./binding.ts";
import { bindingDigest } from "./binding-digest.ts";
import { APPROVAL_LIFE_MS, type ConsentState } from "./consent-state.ts";
import { firstRefusals, no } from "./rule.ts";
import { maybeSamePrincipal } from "./same-principal.ts";
import type { StoredConsent } from "./stored-consent.ts";

/** What the rules that both judgements share look at. */
export interface ConsentCase {
  readonly consent: StoredConsent | undefined;
  /** Checks the approval; it lives outside the store. */
  readonly key: Uint8Array;
  /** Epoch ms, by the store's clock. */
  readonly now: number;
  /** What the stored bytes say; read once, and not before a rule asks: a stranger's question ends earlier. */
  readonly binding: () => ConsentBinding | undefined;
}

/** The case of a stored consent, at `now` (epoch ms). */
export function caseOf(
  consent: StoredConsent | undefined,
  key: Uint8Array,
  now: number,
): ConsentCase {
  let read: ConsentBinding | undefined;
  return { consent, key, now, binding: () => (read ??= consent && decodeBinding(consent.binding)) };
}

/** Unknown and not yours are one refusal, byte for byte: it tells nobody that a consent exists. */
export function notFound(): readonly [Refusal] {
  return no("consent.not_found", "consent", "one of yours", "none");
}

/** The consent and its binding; throws where an earlier rule has refused their absence. */
export function parts(on: ConsentCase): {
  readonly consent: StoredConsent;
  readonly binding: ConsentBinding;
} {
  const { consent } = on;
  const binding = on.binding();
  if (!consent || !binding) throw new TypeError("asked out of order");
  return { consent, binding };
}

/** The binding is the one that was stored, of this row, and its approval was made with the key: consent.integrity. */
export function intact(on: ConsentCase): readonly Refusal[] {
  const { consent, key } = on;
  if (!consent) return notFound();
  const { id, digest, actor, tenant } = consent;
  const computed = bindingDigest(consent.binding);
  if (!equalDigests(computed, digest)) return altered("digest", digest, computed);
  const binding = on.binding();
  if (!binding) return altered("binding", "the bytes of a binding", "other bytes");
  if (binding.consentId !== id || binding.actor !== actor || binding.tenant !== tenant) {
    return altered("row", "the binding's id, actor and tenant", "others");
  }
  return approvalIntact(consent, key) ? [] : altered("approval", "a code of the key", "another");
}

const APPROVED: readonly ConsentState[] = ["approved", "consumed"];
const UNDECIDED: readonly ConsentState[] = ["pending", "declined"];

/** Who approved is checked again: the requester's principal is no part of the binding, so a row may have been given one. */
function approvalIntact(consent: StoredConsent, key: Uint8Array): boolean {
  const { state, digest, approval } = consent;
  if (!approval) return !APPROVED.includes(state);
  const { approver, at, mac } = approval;
  return (
    !UNDECIDED.includes(state) &&
    !isRequester(consent, approver) &&
    verifyApprovalMac(key, { digest, approver, at }, mac)
  );
}

/** Whether a principal may be the one that asked, under any spelling. */
export function isRequester({ principal, actor }: StoredConsent, approver: string): boolean {
  return [principal, actor].some((name) => maybeSamePrincipal(name, approver));
}

function altered(subject: string, expected: string, actual: string): readonly [Refusal] {
  return no("consent.integrity", subject, expected, actual);
}

/**
 * Whether a stored consent is what was stored: its digest is that of its bytes, they are a binding of this row, and its
 * approval was made with the key. Code: consent.integrity. Pure and total.
 */
export function judgeIntegrity(consent: StoredConsent, key: Uint8Array): readonly Refusal[] {
  return firstRefusals([intact], caseOf(consent, key, 0));
}

/** A consent in a final state says so, with the state's own code. */
export function notFinal(on: ConsentCase): readonly Refusal[] {
  const { state } = parts(on).consent;
  switch (state) {
    case "consumed":
    case "declined":
    case "expired":
    case "voided":
      return no(`consent.${state}`, "state", "pending or approved", state);
    case "pending":
    case "approved":
      return [];
  }
}

/** Neither the request nor its approval has reached its end, whether or not anybody has noted it: consent.expired. */
export function notExpired(on: ConsentCase): readonly Refusal[] {
  const { consent, binding } = parts(on);
  const deadline = deadlineOf(consent, binding);
  // Written so that a clock or a deadline that is no number has expired.
  return on.now < deadline
    ? []
    : no("consent.expired", consent.state, String(deadline), String(on.now));
}

/**
 * When a consent expires, in epoch ms: a pending one with its request, any other with its approval. Expiry equal to now is
 * expired. `undefined` where the binding cannot be read.
 */
export function deadlineMs(consent: StoredConsent): number | undefined {
  const binding = decodeBinding(consent.binding);
  return binding && deadlineOf(consent, binding);
}

function deadlineOf({ approval }: StoredConsent, { expiresAt }: ConsentBinding): number {
  return approval ? instantMs(approval.at) + APPROVAL_LIFE_MS : instantMs(expiresAt);
}
