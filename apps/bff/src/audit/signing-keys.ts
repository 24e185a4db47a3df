import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
} from "node:crypto";

/** A new Ed25519 pair as PEM: the sealer's secret (PKCS #8) and what everybody else checks with (SPKI). */
export function newSigningPair(): { readonly secret: string; readonly shown: string } {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  return {
    secret: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    shown: publicKey.export({ type: "spki", format: "pem" }).toString(),
  };
}

/** The secret key of a PEM file; undefined for anything but an Ed25519 one. */
export function parseSigningKey(pem: Uint8Array): KeyObject | undefined {
  return ed25519(() => createPrivateKey(Buffer.from(pem)));
}

/** The public key of a PEM file; undefined for anything but an Ed25519 one, and for a secret key, which nobody who checks needs. */
export function parsePublicKey(pem: Uint8Array): KeyObject | undefined {
  const text = Buffer.from(pem);
  return text.includes("PRIVATE KEY") ? undefined : ed25519(() => createPublicKey(text));
}

/** The key that checks what a secret key signed. */
export function publicKeyOf(key: KeyObject): KeyObject {
  return createPublicKey(key);
}

function ed25519(parse: () => KeyObject): KeyObject | undefined {
  try {
    const key = parse();
    return key.asymmetricKeyType === "ed25519" ? key : undefined;
  } catch {
    return undefined;
  }
}
