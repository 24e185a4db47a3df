/** Revoking, for the owner alone: once, and told once. */
export const revokeCredential = `
-- When the credential was revoked, by this call or an earlier one; null for an unknown one.
create function bff.revoke_credential(p_credential uuid) returns timestamptz
language plpgsql volatile set search_path = pg_catalog as $$
declare who bff.credentials; v_revoked timestamptz;
begin
  update bff.credentials set revoked_at = bff.clock() where id = p_credential and revoked_at is null
    returning * into who;
  if found then
    perform set_config('eve.tenant', who.tenant, true);
    perform bff.tell(who, 'credential.revoked', who.id::text, null);
    return who.revoked_at;
  end if;
  select revoked_at into v_revoked from bff.credentials where id = p_credential;
  return v_revoked;
end $$;
revoke all on function bff.revoke_credential(uuid) from public;
`;
