import { hmacSha256 } from "@eve/canonical-json";
import { Buffer } from "node:buffer";
import type { BffKeys } from "../credentials/keys.ts";

/**
 * The key of one consent's approval. It can be derived before anything is read, so that an execution sends it along and
 * the database checks the approval's MAC in the same round trip, without ever having the key of all approvals.
 */
export function approvalKey(keys: BffKeys, consentId: string): Buffer {
  return Buffer.from(
    hmacSha256(keys.approvals, Buffer.from(`eve/approval-key/1\0${consentId}`)),
    "hex",
  );
}
