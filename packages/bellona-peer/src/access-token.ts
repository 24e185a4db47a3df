import { isJsonObject, type JsonObject, type JsonValue, parseJson } from "@eve/canonical-json";
import { jwtVerify } from "jose";
import type { KeySource, KeysUnavailable } from "./key-source.ts";

/** What a valid token says of its bearer. */
export interface Grant {
  readonly subject: string;
  readonly clientId: string;
  readonly scopes: readonly string[];
  /** Epoch seconds; expired at that second. */
  readonly expiresAt: number;
}

/** A grant, or why there is none. */
export type Verified =
  | { readonly ok: true; readonly grant: Grant }
  | { readonly ok: false; readonly code: "auth.keys_unavailable" | "auth.token_invalid" };

/** What a token is held against. */
export interface TokenTerms {
  /** The only audience, byte for byte. */
  readonly audience: string;
  /** The only issuer, byte for byte. */
  readonly issuer: string;
  readonly algorithms: readonly SignatureAlgorithm[];
  readonly keys: KeySource;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/** Signatures of a public key alone: RFC 9068, 2.1 forbids none, and a MAC would need a shared secret. */
export type SignatureAlgorithm = "ES256" | "EdDSA" | "PS256" | "RS256";

/** The longest time from `iat` to `exp`, in seconds. */
export const MAX_LIFETIME_SECONDS = 600;

/** A member that names a key (jwk, jku, x5u, x5c) or asks for more (crit, b64, zip) is refused by its absence here. */
const HEADER_MEMBERS: ReadonlySet<string> = new Set(["alg", "kid", "typ"]);
const BASE64URL = /^[A-Za-z0-9_-]+$/;
const MAX_PART_BYTES = 8_192;

/**
 * Verifies a JWT access token (RFC 9068): `at+jwt`, one of the allowed algorithms, a known `kid`, exactly this
 * issuer, exactly this audience and no other (an array of this one is the same claim, RFC 7519, 4.1.3), issued by
 * now, not expired, of at most ten minutes, and not bound to a key that a bearer does not prove. Header and claims
 * are strict JSON: a duplicate name is refused, not resolved. No tolerance for clocks. Never throws, never rejects.
 */
export async function verifyAccessToken(token: string, terms: TokenTerms): Promise<Verified> {
  const refused: Verified = { ok: false, code: "auth.token_invalid" };
  try {
    const [header, claims, signature] = token.split(".");
    if (!isPlainHeader(partOf(header)) || !isCanonical(signature)) return refused;
    const strict = partOf(claims);
    if (strict === undefined) return refused;
    const keys = await terms.keys.get();
    if (isUnavailable(keys)) return { ok: false, code: "auth.keys_unavailable" };
    await jwtVerify(token, keys, {
      typ: "at+jwt",
      algorithms: [...terms.algorithms],
      issuer: terms.issuer,
      audience: terms.audience,
      requiredClaims: ["iss", "exp", "aud", "sub", "client_id", "iat", "jti"],
      currentDate: new Date(terms.now()),
    });
    const grant = grantOf(strict, terms);
    return grant === undefined ? refused : { ok: true, grant };
  } catch {
    // Whatever a library throws about a hostile token is one answer (MUST-RS-04).
    return refused;
  }
}

function isUnavailable(keys: Awaited<ReturnType<KeySource["get"]>>): keys is KeysUnavailable {
  return keys === "unavailable";
}

/** One part of a compact JWS as strict JSON. */
function partOf(part: string | undefined): JsonObject | undefined {
  if (!isCanonical(part)) return undefined;
  const bytes = new Uint8Array(Buffer.from(part, "base64url"));
  const parsed = parseJson(bytes, { limits: { maxBytes: MAX_PART_BYTES, maxDepth: 8 } });
  return parsed.ok && isJsonObject(parsed.value) ? parsed.value : undefined;
}

/** Whether text is the one base64url spelling of its bytes: another spelling would be another token of the same sense. */
function isCanonical(part: string | undefined): part is string {
  return (
    part !== undefined &&
    BASE64URL.test(part) &&
    Buffer.from(part, "base64url").toString("base64url") === part
  );
}

function isPlainHeader(header: JsonObject | undefined): boolean {
  return (
    header !== undefined &&
    typeof header["kid"] === "string" &&
    Object.keys(header).every((name) => HEADER_MEMBERS.has(name))
  );
}

/** The grant of claims whose signature, issuer, type and dates jose has checked. */
function grantOf(claims: JsonObject, { audience, now }: TokenTerms): Grant | undefined {
  const { sub, client_id: clientId, exp, iat, jti } = claims;
  const scopes = scopesOf(claims["scope"]);
  const isWhole =
    isName(sub) && isName(clientId) && isName(jti) && isSeconds(exp) && isSeconds(iat);
  if (!isWhole || scopes === undefined) return undefined;
  if (!isOnly(claims["aud"], audience) || Object.hasOwn(claims, "cnf")) return undefined;
  // jose ignores an iat in the future, and bounds an age, not a lifetime.
  const isTimely = iat <= Math.floor(now() / 1000) && exp - iat <= MAX_LIFETIME_SECONDS;
  return isTimely ? { subject: sub, clientId, scopes, expiresAt: exp } : undefined;
}

function isOnly(claim: JsonValue | undefined, audience: string): boolean {
  return Array.isArray(claim) ? claim.length === 1 && claim[0] === audience : claim === audience;
}

function scopesOf(claim: JsonValue | undefined): readonly string[] | undefined {
  if (claim === undefined) return [];
  return typeof claim === "string" ? claim.split(" ").filter((scope) => scope !== "") : undefined;
}

function isName(claim: JsonValue | undefined): claim is string {
  return typeof claim === "string" && claim !== "" && claim.length <= 256;
}

function isSeconds(claim: JsonValue | undefined): claim is number {
  return Number.isSafeInteger(claim);
}
