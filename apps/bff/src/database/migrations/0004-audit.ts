/** Audit rows: written in the transaction of what they tell, never changed. */
export const audit = `
create table bff.audit (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  tenant bff.name not null,
  actor bff.name not null,
  principal bff.principal not null,
  credential uuid not null,
  action text not null,
  subject text not null,
  code text,
  detail jsonb not null
);
create trigger audit_appended before update or delete on bff.audit for each row execute function bff.refuse_change();
create trigger audit_not_emptied before truncate on bff.audit execute function bff.refuse_change();

create function bff.tell(
  who bff.credentials, p_action text, p_subject text, p_code text, p_detail jsonb default '{}'
) returns void language sql volatile begin atomic
  insert into bff.audit (at, tenant, actor, principal, credential, action, subject, code, detail)
  values (bff.clock(), (who).tenant, (who).actor, (who).principal, (who).id, p_action, p_subject, p_code, p_detail);
end;

-- For the owner alone: the service has no right to it. One index over all classes refuses a bearer that exists.
create function bff.mint_credential(
  p_mac bytea, p_class text, p_realm text, p_principal text, p_actor text, p_tenant text, p_scopes text[],
  p_expires timestamptz
) returns uuid language plpgsql volatile set search_path = pg_catalog as $$
declare who bff.credentials;
begin
  insert into bff.credentials (mac, class, realm, principal, actor, tenant, scopes, expires_at)
    values (p_mac, p_class, p_realm, p_principal, p_actor, p_tenant, p_scopes, p_expires) returning * into who;
  perform set_config('eve.tenant', who.tenant, true);
  perform bff.tell(who, 'credential.minted', who.id::text, null, jsonb_build_object(
    'class', who.class, 'realm', who.realm, 'scopes', who.scopes, 'expiresAt', bff.instant(who.expires_at)));
  return who.id;
end $$;
`;
