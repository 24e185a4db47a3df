import { formatInstant } from "@eve/registry-schema";
import { randomUUID } from "node:crypto";
import { asOwner } from "./as-owner.ts";
import { bearerMac, newBearer } from "./bearer.ts";
import type { CredentialClass, Realm } from "./caller.ts";
import { credentialSeal } from "./credential-seal.ts";
import type { BffKeys } from "./keys.ts";

/** Whom a new credential is for. `shared` ones may have the scope `workbench:read` alone. */
export interface CredentialRequest {
  readonly class: CredentialClass;
  readonly realm: Realm;
  readonly principal: string;
  readonly actor: string;
  readonly tenant: string;
  readonly scopes: readonly string[];
  /** Mandatory, and later than now by the database's clock. */
  readonly expiresAt: Date | string;
}

/**
 * Mints a credential as the owner of `ownerUrl` and answers its bearer, which nothing stores: it is shown once. The
 * database keeps its MAC, under one index over all classes, a seal over the row, and an audit row. Rejects where a
 * constraint refuses it.
 */
export async function mintCredential(
  ownerUrl: string,
  keys: BffKeys,
  request: CredentialRequest,
): Promise<string> {
  const { class: credentialClass, realm, principal, actor, tenant, scopes, expiresAt } = request;
  const bearer = newBearer(realm, credentialClass);
  const [id, mac] = [randomUUID(), bearerMac(keys, bearer)];
  const row = { id, mac, class: credentialClass, realm, principal, actor, tenant, scopes };
  const end = formatInstant(new Date(expiresAt).getTime());
  await asOwner(ownerUrl, (client) =>
    client.query("select bff.mint_credential($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)", [
      id,
      mac,
      credentialClass,
      realm,
      principal,
      actor,
      tenant,
      scopes,
      end,
      credentialSeal(keys, { ...row, expiresAt: end }),
    ]),
  );
  return bearer;
}
