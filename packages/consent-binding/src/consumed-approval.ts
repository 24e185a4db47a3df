import type { JsonObject, Sha256 } from "@eve/canonical-json";
import type { Instant } from "@eve/registry-schema";
import { ConsentError } from "./errors.ts";

declare const consumedBrand: unique symbol;

/**
 * Proof that a store consumed an approval in the transaction whose effect it paid for. What reports, counts or answers
 * that effect takes one as an argument; a value that no store made is refused at run time.
 */
export interface ConsumedApproval {
  readonly [consumedBrand]: "ConsumedApproval";
  readonly consentId: string;
  readonly digest: Sha256;
  readonly tenant: string;
  readonly actor: string;
  readonly integration: string;
  readonly tool: string;
  /** The approver's principal. */
  readonly approver: string;
  readonly consumedAt: Instant;
  /** What was done and recorded in that transaction. */
  readonly outcome: JsonObject;
}

/** What a store knows when it has consumed an approval. */
export type ConsumedFields = Omit<ConsumedApproval, typeof consumedBrand>;

const made = new WeakSet();

/**
 * For consent stores only, after the transaction that consumed the approval was committed: the package's main module
 * does not export it, `@eve/consent-binding/store` does. The fields are copied and frozen, the outcome deeply.
 */
export function makeConsumedApproval(fields: ConsumedFields): ConsumedApproval {
  const outcome = deepFreeze(structuredClone(fields.outcome));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the one place that gives the brand
  const approval = Object.freeze({ ...fields, outcome }) as ConsumedApproval;
  made.add(approval);
  return approval;
}

/** Whether a store made this very object. A copy or a structured clone is not it. */
export function isConsumedApproval(value: unknown): value is ConsumedApproval {
  return typeof value === "object" && value !== null && made.has(value);
}

/** Answers the proof, or throws ConsentError `approval.forged`. */
export function requireConsumedApproval(value: unknown): ConsumedApproval {
  if (!isConsumedApproval(value)) {
    throw new ConsentError("approval.forged", "pass on the value that the consent store answered.");
  }
  return value;
}

function deepFreeze<Value>(value: Value): Value {
  if (typeof value === "object" && value !== null) {
    for (const member of Object.values(value)) deepFreeze(member);
    Object.freeze(value);
  }
  return value;
}
