import { createHmac, timingSafeEqual } from "node:crypto";

/**
 * HMAC-SHA256 (RFC 2104, FIPS 198-1) of a message as 64 lower-case hexadecimal digits. A plain text, not a `Sha256`: a
 * code that proves a key is never mistaken for a digest that anybody can compute.
 */
export function hmacSha256(key: Uint8Array, message: Uint8Array): string {
  return createHmac("sha256", key).update(message).digest("hex");
}

/**
 * Whether two digests or codes are equal, compared whole and in a time that depends on their length alone. Texts of
 * different lengths, and empty ones, are never equal.
 */
export function equalDigests(one: string, other: string): boolean {
  const left = new TextEncoder().encode(one);
  const right = new TextEncoder().encode(other);
  return left.length > 0 && left.length === right.length && timingSafeEqual(left, right);
}
