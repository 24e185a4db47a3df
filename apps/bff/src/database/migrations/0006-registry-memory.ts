/** The highest registry seen per environment, which outlives every process and is no tenant's. */
export const registryMemory = `
create table bff.registries (
  environment bff.name primary key,
  sequence bigint not null check (sequence >= 0),
  sha256 bff.digest not null,
  seen_at timestamptz not null
);
create function bff.check_registry_rise() returns trigger language plpgsql set search_path = pg_catalog as $$
begin
  if new.environment <> old.environment or new.sequence <= old.sequence then
    raise exception 'a registry''s sequence only rises' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger registries_rise before update on bff.registries
  for each row execute function bff.check_registry_rise();
create trigger registries_kept before delete on bff.registries for each row execute function bff.refuse_change();
create trigger registries_not_emptied before truncate on bff.registries execute function bff.refuse_change();

create function bff.remember_registry(p_environment text, p_sequence bigint, p_sha256 text) returns json
language plpgsql volatile security definer set search_path = pg_catalog as $$
declare seen bff.registries;
begin
  insert into bff.registries values (p_environment, p_sequence, p_sha256, bff.clock())
    on conflict (environment) do nothing;
  select * into strict seen from bff.registries where environment = p_environment for update;
  if p_sequence < seen.sequence or (p_sequence = seen.sequence and p_sha256 <> seen.sha256) then
    return bff.no('registry.rollback');
  end if;
  if p_sequence > seen.sequence then
    update bff.registries set sequence = p_sequence, sha256 = p_sha256, seen_at = bff.clock()
      where environment = p_environment;
  end if;
  return bff.yes(null);
end $$;
`;
