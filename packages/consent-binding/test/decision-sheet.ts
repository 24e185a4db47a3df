import type { Approver, StoredConsent } from "@eve/consent-binding";
import type { RefusalCode } from "@eve/registry-schema";
import { NOW } from "@eve/test-kit";
import { approvedConsent, flipped, pendingConsent, REQUEST_END } from "./kit.ts";

/** What judgeDecision() is asked. */
export interface DecisionCase {
  readonly consent: StoredConsent | undefined;
  readonly approver: Approver;
  readonly displayedDigest: string;
  readonly now: number;
}

/** One cause for which judgeDecision() refuses: the change, its code, and why. */
export interface DecisionRow {
  readonly code: RefusalCode;
  readonly title: string;
  readonly reason: string;
  readonly change: (on: DecisionCase) => DecisionCase;
}

/** An operator decides about the good request at once. */
export function goodDecision(): DecisionCase {
  return {
    consent: pendingConsent(),
    approver: { class: "operator", principal: "olga", tenant: "acme" },
    displayedDigest: pendingConsent().digest,
    now: NOW,
  };
}

const approver =
  (changes: Partial<Approver>) =>
  (on: DecisionCase): DecisionCase => ({
    ...on,
    approver: { ...on.approver, ...changes },
  });
const row =
  (changes: (old: StoredConsent) => Partial<StoredConsent>) =>
  (on: DecisionCase): DecisionCase => ({
    ...on,
    consent: on.consent && { ...on.consent, ...changes(on.consent) },
  });

/** The causes of judgeDecision(), in the order in which it asks. */
export const DECISION_SHEET: readonly DecisionRow[] = [
  {
    code: "consent.approver_not_operator",
    title: "an agent's credential",
    reason: "Approving takes a class of credential of its own",
    change: approver({ class: "agent" }),
  },
  {
    code: "consent.approver_not_operator",
    title: "a shared bearer",
    reason: "It only reads",
    change: approver({ class: "shared" }),
  },
  {
    code: "consent.not_found",
    title: "no consent",
    reason: "There is nothing to decide",
    change: (on) => ({ ...on, consent: undefined }),
  },
  {
    code: "consent.not_found",
    title: "a consent of another tenant",
    reason: "Unknown and not yours are answered alike",
    change: approver({ tenant: "globex" }),
  },
  {
    code: "consent.not_found",
    title: "a consent of a tenant that is spelt almost alike",
    reason: "Tenants are compared byte for byte",
    change: approver({ tenant: "Acme" }),
  },
  ...["ann", "Ann", "ann ", "ann+1", "a\u200bnn", "ａｎｎ", "builder"].map((principal) => ({
    code: "consent.self_approval" as const,
    title: `the request of ${JSON.stringify(principal)}`,
    reason: "The approver is never the requester, under any spelling",
    change: approver({ principal }),
  })),
  {
    code: "consent.integrity",
    title: "a binding of which one bit was changed",
    reason: "The digest is of the stored bytes",
    change: row(({ binding }) => ({ binding: flipped(binding, 12) })),
  },
  {
    code: "consent.integrity",
    title: "a stored digest that agrees in its first eight digits alone",
    reason: "Digests are compared whole",
    change: row(({ digest }) => ({ digest: digest.slice(0, 8) + "0".repeat(56) })),
  },
  {
    code: "consent.integrity",
    title: "the binding of another consent",
    reason: "The row and its binding name one consent",
    change: row(() => ({ id: "3f2c8a54-9d1e-4b7a-8c60-5e4d3c2b1a08" })),
  },
  {
    code: "consent.integrity",
    title: "a row that was given to another actor",
    reason: "The row and its binding name one actor",
    change: row(() => ({ actor: "packer" })),
  },
  {
    code: "consent.integrity",
    title: "a row that was moved to another tenant",
    reason: "The row and its binding name one tenant",
    change: (on) => approver({ tenant: "globex" })(row(() => ({ tenant: "globex" }))(on)),
  },
  {
    code: "consent.integrity",
    title: "a request that carries an approval while it is pending",
    reason: "An approval without its state was written past the store",
    change: row(() => ({ approval: approvedConsent().approval })),
  },
  {
    code: "consent.integrity",
    title: "a state that says approved where no approval is stored",
    reason: "A state alone approves nothing",
    change: row(() => ({ state: "approved" })),
  },
  ...(["declined", "expired", "voided"] as const).map((state) => ({
    code: `consent.${state}` as const,
    title: `a request that is ${state}`,
    reason: "Nothing leaves a final state",
    change: row(() => ({ state })),
  })),
  {
    code: "consent.consumed",
    title: "an approval that was executed",
    reason: "Nothing leaves a final state",
    change: row(() => approvedConsent({ state: "consumed" })),
  },
  {
    code: "consent.expired",
    title: "a request at its end",
    reason: "Expiry is checked when it is decided, whether or not anybody noted it",
    change: (on) => ({ ...on, now: REQUEST_END }),
  },
  {
    code: "consent.decided",
    title: "a request that is approved already",
    reason: "One decision counts",
    change: row(() => approvedConsent()),
  },
  {
    code: "consent.digest_mismatch",
    title: "another text than the one stored",
    reason: "An operator approves what was displayed",
    change: (on) => ({ ...on, displayedDigest: "0".repeat(64) }),
  },
  {
    code: "consent.digest_mismatch",
    title: "the first eight digits of the digest",
    reason: "Digests are compared whole",
    change: (on) => ({ ...on, displayedDigest: on.displayedDigest.slice(0, 8) }),
  },
  {
    code: "consent.digest_mismatch",
    title: "no digest",
    reason: "A decision without what was displayed is blind",
    change: (on) => ({ ...on, displayedDigest: "" }),
  },
];
