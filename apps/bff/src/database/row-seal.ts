import { equalDigests, hmacSha256 } from "@eve/canonical-json";
import { Buffer } from "node:buffer";
import type { BffKeys } from "../credentials/keys.ts";
import { type Fields, fieldBytes } from "../field-bytes.ts";

/** The columns that a seal is made over, in the order that the database gives them. */
export type RowFields = Fields;

const BLOCK_BYTES = 64;

/** HMAC-SHA256 in hex over a domain, a zero byte and the fields' bytes. `bff.seal` makes the same. */
export function sealOf(key: Uint8Array, domain: string, fields: RowFields): string {
  return hmacSha256(key, Buffer.concat([Buffer.from(`${domain}\0`), fieldBytes(fields)]));
}

/** Whether a row's seal is the key's own, over exactly these fields. A row without one is not sealed. */
export function isSealOf(
  key: Uint8Array,
  domain: string,
  fields: RowFields,
  seal: string | null,
): boolean {
  return seal !== null && equalDigests(sealOf(key, domain, fields), seal);
}

/**
 * The key of one consent's seal, as the two pads of RFC 2104, so that the database need not make them. Who sees it can
 * seal nothing but this consent's row, and cannot approve: that takes another key.
 */
function sealPads(key: Uint8Array): Buffer {
  const pads = Buffer.alloc(2 * BLOCK_BYTES);
  pads.set(key, 0);
  pads.set(key, BLOCK_BYTES);
  return Buffer.from(pads.map((byte, at) => byte ^ (at < BLOCK_BYTES ? 0x36 : 0x5c)));
}

/** The key that a consent's row is sealed with. */
function consentSealKey(keys: BffKeys, consentId: string): Buffer {
  return Buffer.from(
    hmacSha256(keys.approvals, Buffer.from(`eve/consent-seal-key/1\0${consentId}`)),
    "hex",
  );
}

/** {@link consentSealKey} as the database takes it. */
export function consentSealPads(keys: BffKeys, consentId: string): Buffer {
  return sealPads(consentSealKey(keys, consentId));
}

/** Whether a consent's row is as the service wrote it. */
export function isSealedConsent(
  keys: BffKeys,
  consentId: string,
  fields: RowFields,
  seal: string | null,
): boolean {
  return isSealOf(consentSealKey(keys, consentId), "eve/consent-row/1", fields, seal);
}
