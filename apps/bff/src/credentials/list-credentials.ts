import { type Instant, formatInstant } from "@eve/registry-schema";
import { asOwner } from "./as-owner.ts";
import type { CredentialClass, Realm } from "./caller.ts";

/** A credential as its owner may see it: whose it is and how long, nothing of its bearer or what is stored of that. */
export interface StoredCredential {
  readonly id: string;
  readonly class: CredentialClass;
  readonly realm: Realm;
  readonly principal: string;
  readonly actor: string;
  readonly tenant: string;
  readonly scopes: readonly string[];
  readonly expiresAt: Instant;
  /** `null` while it is not revoked. */
  readonly revokedAt: Instant | null;
}

type Row = Omit<StoredCredential, "expiresAt" | "revokedAt"> & {
  readonly expires: Date;
  readonly revoked: Date | null;
};

/** Every credential that was ever minted, expired and revoked ones too, oldest first; read as the owner of `ownerUrl`. */
export async function listCredentials(ownerUrl: string): Promise<readonly StoredCredential[]> {
  const { rows } = await asOwner(ownerUrl, (client) =>
    client.query<Row>(
      `select id, class, realm, principal, actor, tenant, scopes, expires_at as expires, revoked_at as revoked
        from bff.credentials order by created_at, id`,
    ),
  );
  return rows.map(({ expires, revoked, ...row }) => ({
    ...row,
    expiresAt: formatInstant(expires.getTime()),
    revokedAt: revoked && formatInstant(revoked.getTime()),
  }));
}
