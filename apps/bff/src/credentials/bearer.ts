import { hmacSha256 } from "@eve/canonical-json";
import { Buffer } from "node:buffer";
import { randomBytes } from "node:crypto";
import type { CredentialClass, Realm } from "./caller.ts";
import type { BffKeys } from "./keys.ts";

// 43 base64url characters carry 258 bits: the last one has two that must be zero, so each secret has one spelling.
const BEARER = /^eve_(live|local)_(shared|agent|operator)_[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/;

/** Whether `text` has a bearer's exact form: `eve_<realm>_<class>_` and 32 bytes in base64url. */
export function isBearer(text: string): boolean {
  return BEARER.test(text);
}

/** A new bearer with 256 random bits. */
export function newBearer(realm: Realm, credentialClass: CredentialClass): string {
  return `eve_${realm}_${credentialClass}_${randomBytes(32).toString("base64url")}`;
}

/** What is stored instead of a bearer. */
export function bearerMac(keys: BffKeys, bearer: string): Buffer {
  return Buffer.from(hmacSha256(keys.credentials, Buffer.from(bearer)), "hex");
}
