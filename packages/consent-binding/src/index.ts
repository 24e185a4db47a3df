export { type ApprovalFacts, approvalMac, verifyApprovalMac } from "./approval-mac.ts";
export { type ConsentBinding, decodeBinding, encodeBinding } from "./binding.ts";
export { bindingDigest } from "./binding-digest.ts";
export { deadlineMs, judgeIntegrity } from "./consent-case.ts";
export {
  APPROVAL_LIFE_MS,
  CONSENT_STATES,
  type ConsentState,
  mayMove,
  REQUEST_LIFE_MS,
  TRANSITIONS,
} from "./consent-state.ts";
export type {
  ConsentCaller,
  ConsentDecision,
  ConsentOutcome,
  ConsentRequest,
  ConsentStore,
  ConsentView,
  PublishingCall,
} from "./consent-store.ts";
export {
  type ConsumedApproval,
  isConsumedApproval,
  requireConsumedApproval,
} from "./consumed-approval.ts";
export { ConsentError, type ConsentErrorCode } from "./errors.ts";
export { isConsentId } from "./fields.ts";
export { ITEM_STATES, type ItemState } from "./item-state.ts";
export { type Approver, judgeDecision } from "./judge-decision.ts";
export { type ExecutionCall, judgeExecution } from "./judge-execution.ts";
export { type ItemNow, judgeItem } from "./judge-item.ts";
export {
  type Preview,
  type PreviewDestination,
  type PreviewEffect,
  parsePreview,
} from "./preview.ts";
export { maybeSamePrincipal } from "./same-principal.ts";
export type { StoredApproval, StoredConsent } from "./stored-consent.ts";
export { voidsApproval } from "./voids-approval.ts";
