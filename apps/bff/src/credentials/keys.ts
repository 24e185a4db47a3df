import { hkdfSync } from "node:crypto";

/** The keys outside the database: of credentials' MACs and of approvals' MACs, 32 bytes each. */
export interface BffKeys {
  readonly credentials: Uint8Array;
  readonly approvals: Uint8Array;
}

const SECRET_BYTES = 32;

/** Derives both keys from one secret by HKDF-SHA256 (RFC 5869); throws a RangeError for less than 32 bytes. */
export function deriveKeys(secret: Uint8Array): BffKeys {
  if (secret.byteLength < SECRET_BYTES)
    throw new RangeError(`the key file must hold at least ${SECRET_BYTES} random bytes`);
  const derive = (label: string): Uint8Array =>
    new Uint8Array(hkdfSync("sha256", secret, new Uint8Array(), label, 32));
  return { credentials: derive("eve/bff/credentials/1"), approvals: derive("eve/bff/approvals/1") };
}
