// For implementations of ConsentStore alone: whoever imports this can make the proof of an executed approval.
export { type ConsumedFields, makeConsumedApproval } from "./consumed-approval.ts";
