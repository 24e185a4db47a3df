import { canonicalJson, equalDigests, hmacSha256 } from "@eve/canonical-json";
import type { Instant } from "@eve/registry-schema";
import { ConsentError } from "./errors.ts";

/** What an approval proves: who approved which digest, and when. The digest covers the consent's id. */
export interface ApprovalFacts {
  readonly digest: string;
  /** The approver's principal. */
  readonly approver: string;
  readonly at: Instant;
}

/** Bytes that an approval key has at least. */
const MIN_KEY_BYTES = 32;

/**
 * HMAC-SHA256 in hex over `eve/approval/1` ‖ 0x00 ‖ the facts in canonical form. The key lives outside the database, so
 * that who can write rows cannot write an approval. Throws ConsentError `key.too_short` under 32 bytes.
 */
export function approvalMac(key: Uint8Array, { digest, approver, at }: ApprovalFacts): string {
  if (key.length < MIN_KEY_BYTES) {
    throw new ConsentError("key.too_short", `an approval key has at least ${MIN_KEY_BYTES} bytes.`);
  }
  const facts = canonicalJson({ approver, at, digest });
  return hmacSha256(key, new TextEncoder().encode(`eve/approval/1\0${facts}`));
}

/** Whether `mac` is the code of exactly these facts; compared whole, in constant time. */
export function verifyApprovalMac(key: Uint8Array, facts: ApprovalFacts, mac: string): boolean {
  return equalDigests(approvalMac(key, facts), mac);
}
