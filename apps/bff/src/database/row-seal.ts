import { equalDigests, hmacSha256 } from "@eve/canonical-json";
import { Buffer } from "node:buffer";
import type { BffKeys } from "../credentials/keys.ts";

/** The columns that a seal is made over, in the order that the database gives them. */
export type RowFields = readonly (string | null)[];

const BLOCK_BYTES = 64;

/**
 * HMAC-SHA256 in hex over a domain, 0x00, and each field: 0x00 for none, else 0x01, its length (4 bytes, the highest
 * first) and its UTF-8. `bff.seal` makes the same.
 */
export function sealOf(key: Uint8Array, domain: string, fields: RowFields): string {
  return hmacSha256(key, Buffer.concat([Buffer.from(`${domain}\0`), ...fields.map(framed)]));
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

function framed(field: string | null): Buffer {
  if (field === null) return Buffer.of(0);
  const text = Buffer.from(field);
  const head = Buffer.alloc(5);
  head[0] = 1;
  head.writeInt32BE(text.length, 1);
  return Buffer.concat([head, text]);
}
