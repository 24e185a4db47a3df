import { randomUUID } from "node:crypto";
import { exportJWK, generateKeyPair, SignJWT } from "jose";

/** An issuer of access tokens that exists for one run: its private key is never written anywhere. */
export interface RunIssuer {
  /** An https identifier that no host has: nothing is ever fetched from it. */
  readonly identifier: string;
  /** Its public keys as a JSON Web Key Set (RFC 7517). */
  readonly keySet: string;
  /** A token of the JWT profile (RFC 9068) for exactly this audience, of five minutes by this machine's clock. */
  mint(audience: string, scopes: readonly string[]): Promise<string>;
}

/** Makes an issuer with a fresh ES256 key. */
export async function makeRunIssuer(): Promise<RunIssuer> {
  const { privateKey, publicKey } = await generateKeyPair("ES256");
  const identifier = `https://issuer.invalid/${randomUUID()}`;
  const kid = randomUUID();
  const keys = [{ ...(await exportJWK(publicKey)), kid, alg: "ES256", use: "sig" }];
  return {
    identifier,
    keySet: JSON.stringify({ keys }),
    mint: (audience, scopes) =>
      new SignJWT({ client_id: "eve-registry", scope: scopes.join(" ") })
        .setProtectedHeader({ alg: "ES256", typ: "at+jwt", kid })
        .setIssuer(identifier)
        .setAudience(audience)
        .setSubject("eve-registry")
        .setJti(randomUUID())
        .setIssuedAt()
        .setExpirationTime("5 minutes")
        .sign(privateKey),
  };
}
