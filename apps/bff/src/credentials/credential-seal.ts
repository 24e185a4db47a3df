import { Buffer } from "node:buffer";
import { isSealOf, sealOf } from "../database/row-seal.ts";
import type { BffKeys } from "./keys.ts";

const DOMAIN = "eve/credential-row/1";

/** What of a credential is sealed: all but when it was made and when it was revoked. */
export interface SealedCredential {
  readonly id: string;
  readonly mac: Buffer;
  readonly class: string;
  readonly realm: string;
  readonly principal: string;
  readonly actor: string;
  readonly tenant: string;
  /** As the database writes it. */
  readonly expiresAt: string;
  readonly scopes: readonly string[];
}

/** The seal of a new credential, as `bff.credential_fields` orders its columns. */
export function credentialSeal(keys: BffKeys, credential: SealedCredential): string {
  const { id, mac, class: credentialClass, realm, principal, actor, tenant } = credential;
  const { expiresAt, scopes } = credential;
  const own = [id, mac.toString("hex"), credentialClass, realm, principal, actor, tenant];
  return sealOf(keys.credentials, DOMAIN, [...own, expiresAt, ...scopes]);
}

/** Whether a credential's row is as it was minted. */
export function isSealedCredential(
  keys: BffKeys,
  fields: readonly string[],
  seal: string | null,
): boolean {
  return isSealOf(keys.credentials, DOMAIN, fields, seal);
}
