/** Minting with a seal, and reading what is needed to check it. */
export const credentialSeals = `
drop function bff.mint_credential(bytea, text, text, text, text, text, text[], timestamptz);
create function bff.mint_credential(
  p_id uuid, p_mac bytea, p_class text, p_realm text, p_principal text, p_actor text, p_tenant text, p_scopes text[],
  p_expires timestamptz, p_seal text
) returns uuid language plpgsql volatile set search_path = pg_catalog, pg_temp as $$
declare who bff.credentials;
begin
  insert into bff.credentials (id, mac, class, realm, principal, actor, tenant, scopes, expires_at, seal)
    values (p_id, p_mac, p_class, p_realm, p_principal, p_actor, p_tenant, p_scopes, p_expires, p_seal)
    returning * into who;
  perform set_config('eve.tenant', who.tenant, true);
  perform bff.tell(who, 'credential.minted', who.id::text, null, jsonb_build_object(
    'class', who.class, 'realm', who.realm, 'scopes', who.scopes, 'expiresAt', bff.instant(who.expires_at)));
  return who.id;
end $$;

-- Whether the audit tells that a credential was revoked, whatever its row says. In a transaction of its tenant.
create function bff.is_told_revoked(p_credential uuid) returns boolean language sql stable return
  exists (select from bff.audit a where a.subject = p_credential::text and a.action = 'credential.revoked');

drop function bff.authenticate(bytea);
create function bff.authenticate(p_mac bytea) returns json
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare k bff.credentials;
begin
  select * into k from bff.credentials c
    where c.mac = p_mac and c.revoked_at is null and c.expires_at > clock_timestamp();
  if not found then return null; end if;
  perform set_config('eve.tenant', k.tenant, true);
  return json_build_object('id', k.id, 'class', k.class, 'realm', k.realm, 'principal', k.principal,
    'actor', k.actor, 'tenant', k.tenant, 'scopes', k.scopes, 'fields', bff.credential_fields(k), 'seal', k.seal,
    'isToldRevoked', bff.is_told_revoked(k.id));
end $$;

revoke all on function bff.authenticate(bytea), bff.is_told_revoked(uuid), bff.mint_credential(
  uuid, bytea, text, text, text, text, text, text[], timestamptz, text) from public;
grant execute on function bff.authenticate(bytea) to eve_service;
`;
