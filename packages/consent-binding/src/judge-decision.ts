import { equalDigests } from "@eve/canonical-json";
import type { Refusal } from "@eve/registry-schema";
import {
  caseOf,
  type ConsentCase,
  intact,
  isRequester,
  notExpired,
  notFinal,
  notFound,
  parts,
} from "./consent-case.ts";
import { firstRefusals, no, type Rule } from "./rule.ts";
import type { StoredConsent } from "./stored-consent.ts";

/** Who decides, as their credential says at that moment. */
export interface Approver {
  readonly class: "shared" | "agent" | "operator";
  /** The person or team. */
  readonly principal: string;
  readonly tenant: string;
}

interface DecisionCase extends ConsentCase {
  readonly approver: Approver;
  readonly displayedDigest: string;
}

/** What is asked before a consent is approved or declined, in this order. */
const RULES: readonly Rule<DecisionCase>[] = [
  isOperator,
  isOfTheirTenant,
  isNotTheirOwn,
  intact,
  notFinal,
  notExpired,
  isPending,
  isWhatWasDisplayed,
];

/**
 * Whether an operator may approve or decline this consent now; no refusal means yes. Codes: consent.
 * approver_not_operator, not_found, self_approval, integrity, consumed, declined, expired, voided, decided (for one that
 * is approved already), digest_mismatch. Pure and total; `now` is epoch ms.
 */
export function judgeDecision(
  consent: StoredConsent | undefined,
  approver: Approver,
  displayedDigest: string,
  now: number,
  key: Uint8Array,
): readonly Refusal[] {
  return firstRefusals(RULES, { ...caseOf(consent, key, now), approver, displayedDigest });
}

/** First, so that it tells nothing about the consent. */
function isOperator({ approver }: DecisionCase): readonly Refusal[] {
  return approver.class === "operator"
    ? []
    : no("consent.approver_not_operator", "credential", "operator", approver.class);
}

function isOfTheirTenant({ consent, approver }: DecisionCase): readonly Refusal[] {
  return consent?.tenant === approver.tenant ? [] : notFound();
}

function isNotTheirOwn({ consent, approver }: DecisionCase): readonly Refusal[] {
  if (!consent) return notFound();
  return isRequester(consent, approver.principal)
    ? no("consent.self_approval", "approver", "another principal", "the requester's")
    : [];
}

function isPending(on: DecisionCase): readonly Refusal[] {
  const { state } = parts(on).consent;
  return state === "pending" ? [] : no("consent.decided", "state", "pending", state);
}

function isWhatWasDisplayed(on: DecisionCase): readonly Refusal[] {
  const { consent } = parts(on);
  return equalDigests(consent.digest, on.displayedDigest)
    ? []
    : no("consent.digest_mismatch", "digest", consent.digest, "another");
}
