import { type Instant, formatInstant } from "@eve/registry-schema";
import { asOwner } from "./as-owner.ts";

/**
 * Revokes a credential as the owner of `ownerUrl`, with an audit row, and answers when it was: a second time changes
 * nothing. From then on its bearer is nobody's. `undefined` for an id (a UUID) that no credential has.
 */
export async function revokeCredential(ownerUrl: string, id: string): Promise<Instant | undefined> {
  const { rows } = await asOwner(ownerUrl, (client) =>
    client.query<{ revoked: Date | null }>("select bff.revoke_credential($1) as revoked", [id]),
  );
  const revoked = rows[0]?.revoked;
  return revoked ? formatInstant(revoked.getTime()) : undefined;
}
