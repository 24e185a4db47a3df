/** Consents: the binding as immutable bytes, its digest made here, and the states a consent can go through. */
export const consents = `
create table bff.consents (
  id uuid primary key,
  tenant bff.name not null,
  actor bff.name not null,
  principal bff.principal not null,
  credential uuid not null references bff.credentials,
  item text not null references bff.items,
  request_key bff.digest not null,
  binding bytea not null check (octet_length(binding) between 2 and 262144),
  -- SHA-256 of 'eve/consent/1', a zero byte and the binding.
  digest text not null generated always as
    (encode(sha256('\\x6576652f636f6e73656e742f3100'::bytea || binding), 'hex')) stored,
  state text not null default 'pending'
    check (state in ('pending', 'approved', 'consumed', 'declined', 'expired', 'voided')),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  decided_at timestamptz,
  decided_by bff.principal,
  decision_reason text check (char_length(decision_reason) between 1 and 1000),
  approval_mac bff.digest,
  closed_at timestamptz,
  close_code text,
  outcome jsonb,
  constraint consents_decided check (state not in ('approved', 'consumed', 'declined')
    or (decided_at is not null and decided_by is not null and decision_reason is not null)),
  constraint consents_approved check (state not in ('approved', 'consumed') or approval_mac is not null),
  constraint consents_closed check ((state in ('pending', 'approved')) = (closed_at is null)),
  constraint consents_outcome check ((state = 'consumed') = (outcome is not null))
);
create index consents_waiting on bff.consents (tenant, actor, request_key) where state = 'pending';
create index consents_newest_first on bff.consents (tenant, created_at desc);

create function bff.check_consent_insert() returns trigger language plpgsql set search_path = pg_catalog as $$
begin
  if new.state <> 'pending' or new.decided_at is not null or new.approval_mac is not null then
    raise exception 'a consent begins as a request' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger consents_begin before insert on bff.consents
  for each row execute function bff.check_consent_insert();

create function bff.check_consent_step() returns trigger language plpgsql set search_path = pg_catalog as $$
begin
  if (new.id, new.tenant, new.actor, new.principal, new.credential, new.item, new.request_key, new.binding,
      new.created_at) is distinct from (old.id, old.tenant, old.actor, old.principal, old.credential, old.item,
      old.request_key, old.binding, old.created_at) then
    raise exception 'what a consent binds cannot be changed' using errcode = 'restrict_violation';
  end if;
  if (old.state, new.state) not in (('pending', 'approved'), ('pending', 'declined'), ('pending', 'expired'),
      ('pending', 'voided'), ('approved', 'consumed'), ('approved', 'expired'), ('approved', 'voided')) then
    raise exception 'no step of a consent: % to %', old.state, new.state using errcode = 'restrict_violation';
  end if;
  if old.state = 'approved' and (new.decided_at, new.decided_by, new.decision_reason, new.approval_mac, new.expires_at)
      is distinct from (old.decided_at, old.decided_by, old.decision_reason, old.approval_mac, old.expires_at) then
    raise exception 'an approval cannot be changed' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger consents_step before update on bff.consents for each row execute function bff.check_consent_step();
create trigger consents_kept before delete on bff.consents for each row execute function bff.refuse_change();
create trigger consents_not_emptied before truncate on bff.consents execute function bff.refuse_change();
`;
