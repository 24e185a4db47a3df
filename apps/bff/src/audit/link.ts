import { Buffer } from "node:buffer";
import { hash } from "node:crypto";

/** A place in the chain: the link with this number, or before the first where it is 0. */
export interface Position {
  readonly seq: number;
  readonly link: Buffer;
}

/** Before the first link. */
export const GENESIS: Position = { seq: 0, link: Buffer.alloc(32) };

const DOMAIN = Buffer.from("eve/audit-link/1\0");

/** SHA-256 of the domain, a zero byte, the link before, number and row id (8 bytes each, big-endian) and the row's digest. */
export function linkDigest(
  previous: Buffer,
  seq: number,
  rowId: bigint,
  rowDigest: Buffer,
): Buffer {
  const place = Buffer.alloc(16);
  place.writeBigInt64BE(BigInt(seq));
  place.writeBigInt64BE(rowId, 8);
  return hash("sha256", Buffer.concat([DOMAIN, previous, place, rowDigest]), "buffer");
}
