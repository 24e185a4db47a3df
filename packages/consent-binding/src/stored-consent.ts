import type { Instant } from "@eve/registry-schema";
import type { ConsentState } from "./consent-state.ts";

/** An approval as a store keeps it beside the binding. */
export interface StoredApproval {
  /** The approver's principal. */
  readonly approver: string;
  readonly at: Instant;
  /** See `approvalMac`; over the stored digest, `approver` and `at`. */
  readonly mac: string;
}

/** A consent as a store keeps it, before anything about it has been believed. */
export interface StoredConsent {
  readonly id: string;
  readonly state: ConsentState;
  /** The person or team behind the actor that asked. */
  readonly principal: string;
  readonly actor: string;
  readonly tenant: string;
  /** See `encodeBinding`. */
  readonly binding: Uint8Array;
  /** See `bindingDigest`. */
  readonly digest: string;
  /** Present from the approval on, whatever became of it. */
  readonly approval: StoredApproval | null;
}
