/** The schema, the service's role, the clock, and the tenant that a transaction says it works for. */
export const ground = `
create schema if not exists bff;
revoke all on schema bff from public;

-- Roles belong to the whole server: a launcher or another database of it may have made this one already.
do $$ begin
  if not exists (select from pg_roles where rolname = 'eve_service') then
    create role eve_service nologin;
  end if;
exception when duplicate_object or unique_violation then null;
end $$;
grant usage on schema bff to eve_service;

create domain bff.name as text check (value ~ '^[A-Za-z0-9][A-Za-z0-9._@:-]{0,127}$');
-- A person or team, tags as of mail addresses included. Nothing that JSON would escape: MACs are made over these.
create domain bff.principal as text check (value ~ '^[A-Za-z0-9][A-Za-z0-9._@:+-]{0,127}$');
create domain bff.digest as text check (value ~ '^[0-9a-f]{64}$');

-- Never the start of the transaction, which may have waited for a lock; whole ms, as instants are written.
create function bff.clock() returns timestamptz language sql volatile
  return date_trunc('milliseconds', clock_timestamp());

-- As the service writes instants: whole seconds without a fraction.
create function bff.instant(at timestamptz) returns text language sql stable
  return replace(to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), '.000Z', 'Z');

-- No tenant, no rows: a transaction that did not say for whom it works is refused, not shown an empty table.
create function bff.tenant() returns text language plpgsql stable set search_path = pg_catalog as $$
declare said text := current_setting('eve.tenant', true);
begin
  if coalesce(said, '') = '' then
    raise exception 'eve.tenant is not set in this transaction' using errcode = 'insufficient_privilege';
  end if;
  return said;
end $$;

create function bff.refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '%.% is append-only', tg_table_schema, tg_table_name using errcode = 'restrict_violation';
end $$;

create function bff.yes(value json) returns json language sql immutable
  return json_build_object('ok', true, 'value', value);

create function bff.no(code text, outcome json default null) returns json language sql immutable
  return case when outcome is null then json_build_object('ok', false, 'code', code)
    else json_build_object('ok', false, 'code', code, 'outcome', outcome) end;
`;
