import { type Sha256, sha256 } from "@eve/canonical-json";

const DOMAIN = new TextEncoder().encode("eve/consent/1\0");

/**
 * What an operator is shown, decides on and sends back: SHA-256(`eve/consent/1` ‖ 0x00 ‖ bytes). PostgreSQL computes the
 * same: `encode(sha256(convert_to('eve/consent/1', 'UTF8') || '\x00'::bytea || binding), 'hex')`.
 */
export function bindingDigest(bytes: Uint8Array): Sha256 {
  const framed = new Uint8Array(DOMAIN.length + bytes.length);
  framed.set(DOMAIN);
  framed.set(bytes, DOMAIN.length);
  return sha256(framed);
}
