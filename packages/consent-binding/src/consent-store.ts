import type { JsonObject, Sha256 } from "@eve/canonical-json";
import type { Instant, RefusalCode } from "@eve/registry-schema";
import type { ConsentBinding } from "./binding.ts";
import type { ConsentState } from "./consent-state.ts";
import type { ConsumedApproval } from "./consumed-approval.ts";
import type { Approver } from "./judge-decision.ts";
import type { PreviewDestination } from "./preview.ts";

/** A value, or the code of the first refusal. */
export type ConsentOutcome<T> =
  | { readonly ok: true; readonly value: T }
  | {
      readonly ok: false;
      readonly code: RefusalCode;
      /** What was done and recorded, where `consent.consumed` is answered to whom the approval belonged. */
      readonly outcome?: JsonObject;
      readonly consentId?: string;
    };

/** Whoever calls, as their credential says. */
export interface ConsentCaller extends Approver {
  readonly actor: string;
}

/** A publishing call, as a store is asked about it. */
export interface PublishingCall {
  readonly integration: string;
  readonly tool: string;
  /** The tool's pins and the entry's digest as the registry has them now. */
  readonly toolPins: JsonObject;
  readonly entryDigest: Sha256;
  /** Without `consentId`. */
  readonly arguments: JsonObject;
}

/** A publishing call to ask consent for, with what its preview must show of it. */
export interface ConsentRequest extends PublishingCall {
  readonly destinations: readonly PreviewDestination[];
}

/** An operator's decision about what they were shown. */
export interface ConsentDecision {
  readonly decision: "approve" | "decline";
  /** The digest that was displayed. */
  readonly digest: string;
  readonly reason: string;
}

/** A consent as its requester and the operators of its tenant may see it. */
export interface ConsentView {
  readonly id: string;
  readonly state: ConsentState;
  readonly digest: Sha256;
  readonly binding: ConsentBinding;
  readonly createdAt: Instant;
  /** Of the request, or of the approval once there is one. */
  readonly expiresAt: Instant;
  /** The principal that approved or declined. */
  readonly decidedBy: string | null;
  /** What was done and recorded; `null` until then. */
  readonly outcome: JsonObject | null;
}

/**
 * What keeps consents. Each method is atomic, decides by the store's own clock with the rules of this package, and answers
 * an unknown consent and somebody else's alike.
 */
export interface ConsentStore {
  /**
   * Computes the preview without a write, then writes a request: nothing else happens. The same call again answers the
   * same pending request. `consent.quota_exceeded`, `item.not_found`, `item.state_refused`.
   */
  request(caller: ConsentCaller, request: ConsentRequest): Promise<ConsentOutcome<ConsentView>>;

  /** For the actor that asked and the operators of the tenant; for all others `consent.not_found`. */
  find(caller: ConsentCaller, consentId: string): Promise<ConsentOutcome<ConsentView>>;

  /**
   * Approves or declines; of decisions that race, one counts. The codes of `judgeDecision`, and `consent.item_changed`
   * for an approval of what has changed since, which voids the request.
   */
  decide(
    caller: ConsentCaller,
    consentId: string,
    decision: ConsentDecision,
  ): Promise<ConsentOutcome<ConsentView>>;

  /**
   * Consumes the approval and does what it pays for in one transaction, once. A repeat is `consent.consumed` with the
   * recorded outcome. The codes of `judgeExecution` and `judgeItem`; those that `voidsApproval` names void it.
   */
  execute(
    caller: ConsentCaller,
    consentId: string,
    call: PublishingCall,
  ): Promise<ConsentOutcome<ConsumedApproval>>;
}
