/** Credentials: their MACs, never their text. The service reads them by `bff.authenticate` alone. */
export const credentials = `
create table bff.credentials (
  id uuid primary key default gen_random_uuid(),
  mac bytea not null check (octet_length(mac) = 32),
  class text not null check (class in ('shared', 'agent', 'operator')),
  realm text not null check (realm in ('live', 'local')),
  principal bff.principal not null,
  actor bff.name not null,
  tenant bff.name not null,
  scopes text[] not null check (array_position(scopes, null) is null),
  created_at timestamptz not null default bff.clock(),
  expires_at timestamptz not null check (expires_at > created_at),
  revoked_at timestamptz,
  constraint credentials_shared_reads check (class <> 'shared' or scopes <@ array['workbench:read'])
);
-- One index over all classes: no operator's bearer is also an agent's or the shared one.
create unique index credentials_one_mac on bff.credentials (mac);

create function bff.check_credential_change() returns trigger language plpgsql set search_path = pg_catalog as $$
begin
  if tg_op = 'UPDATE' and old.revoked_at is null and new.revoked_at is not null
     and to_jsonb(new) - 'revoked_at' = to_jsonb(old) - 'revoked_at' then return new; end if;
  raise exception 'a credential can only be revoked, once' using errcode = 'restrict_violation';
end $$;
create trigger credentials_only_revoked before update or delete on bff.credentials
  for each row execute function bff.check_credential_change();
create trigger credentials_kept before truncate on bff.credentials execute function bff.refuse_change();

create function bff.authenticate(p_mac bytea) returns table (
  id uuid, class text, realm text, principal text, actor text, tenant text, scopes text[]
) language sql volatile security definer set search_path = pg_catalog as $$
  select c.id, c.class, c.realm, c.principal, c.actor, c.tenant, c.scopes from bff.credentials c
  where c.mac = p_mac and c.revoked_at is null and c.expires_at > clock_timestamp()
$$;

-- Who calls, from the stored credential; from here on the transaction works for that credential's tenant.
create function bff.enter(p_credential uuid) returns bff.credentials
language plpgsql volatile set search_path = pg_catalog as $$
declare who bff.credentials;
begin
  select * into who from bff.credentials c
    where c.id = p_credential and c.revoked_at is null and c.expires_at > clock_timestamp();
  if found then perform set_config('eve.tenant', who.tenant, true); end if;
  return who;
end $$;

-- Why a caller may not act as an agent; null if it may.
create function bff.not_an_agent(who bff.credentials) returns text language sql immutable return
  case when (who).id is null then 'auth.token_invalid'
       when (who).class = 'shared' then 'auth.scope_insufficient'
       when (who).class = 'operator' then 'auth.realm_refused' end;
`;
