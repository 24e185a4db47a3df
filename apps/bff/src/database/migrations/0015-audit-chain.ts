/**
 * The chain over the audit rows, and the role that seals them. Rows are chained after their transaction, since a chain
 * head that each of them locked would put them one after the other. A row to chain is one that the chain does not have:
 * ids are given in another order than transactions commit. The sealer names a row and nothing else; its digest, place and
 * link are made here. `src/audit` makes them anew from the rows, and signs what it has found to be so.
 */
export const auditChain = `
do $$ begin
  if not exists (select from pg_roles where rolname = 'eve_sealer') then
    create role eve_sealer nologin;
  end if;
exception when duplicate_object or unique_violation then null;
end $$;
grant usage on schema bff to eve_sealer;

-- A field of a digest: 00 for none; else 01, its length (4 bytes) and its UTF-8. No two lists of fields have the same.
create function bff.framed(p_field text) returns bytea language sql stable return
  case when p_field is null then '\\x00'::bytea
  else '\\x01'::bytea || int4send(octet_length(convert_to(p_field, 'UTF8'))) || convert_to(p_field, 'UTF8') end;

-- SHA-256 of 'eve/audit-row/1', a zero byte and each column in its order; instants as whole µs since 1970.
create function bff.audit_row_digest(a bff.audit) returns bytea language sql stable return
  sha256('\\x6576652f61756469742d726f772f3100'::bytea
    || bff.framed((a).id::text) || bff.framed(trunc(extract(epoch from (a).at) * 1000000)::text)
    || bff.framed((a).tenant) || bff.framed((a).actor) || bff.framed((a).principal)
    || bff.framed((a).credential::text) || bff.framed((a).action) || bff.framed((a).subject)
    || bff.framed((a).code) || bff.framed((a).detail::text));

-- SHA-256 of 'eve/audit-link/1', a zero byte and four parts of fixed length.
create function bff.audit_link(p_previous bytea, p_seq bigint, p_row_id bigint, p_row_digest bytea) returns bytea
language sql immutable return
  sha256('\\x6576652f61756469742d6c696e6b2f3100'::bytea || p_previous || int8send(p_seq) || int8send(p_row_id)
    || p_row_digest);

create table bff.audit_chain (
  seq bigint primary key check (seq > 0),
  row_id bigint not null unique,
  row_digest bytea not null check (octet_length(row_digest) = 32),
  previous bytea not null check (octet_length(previous) = 32),
  link bytea not null check (octet_length(link) = 32)
);

-- Of two at once that hold no lock the second fails at the primary key: the chain cannot fork.
create function bff.chain_audit_row() returns trigger language plpgsql set search_path = pg_catalog, pg_temp as $$
declare head bff.audit_chain;
begin
  select * into head from bff.audit_chain order by seq desc limit 1;
  new.seq := coalesce(head.seq, 0) + 1;
  new.previous := coalesce(head.link, decode(repeat('00', 32), 'hex'));
  select bff.audit_row_digest(a) into strict new.row_digest from bff.audit a where a.id = new.row_id;
  new.link := bff.audit_link(new.previous, new.seq, new.row_id, new.row_digest);
  return new;
end $$;
create trigger audit_chain_made before insert on bff.audit_chain
  for each row execute function bff.chain_audit_row();
create trigger audit_chain_appended before update or delete on bff.audit_chain
  for each row execute function bff.refuse_change();
create trigger audit_chain_not_emptied before truncate on bff.audit_chain execute function bff.refuse_change();

-- Chains at most p_max rows, lowest ids first, and answers how many. p_window: looks only at rows whose id is at most
-- so far below the highest chained one; null looks at all, which takes longer the more there are.
create function bff.seal_audit(p_max integer, p_window bigint) returns integer
language plpgsql volatile set search_path = pg_catalog, pg_temp as $$
declare v_from bigint; v_sealed integer;
begin
  -- Before anything is looked at: of two sealers one waits, and then sees what the other has chained. It ends with the
  -- transaction, so a pooler cannot leak it, and a sealer that dies lets go.
  perform pg_advisory_xact_lock(hashtextextended('eve/audit-seal/1', 0));
  select coalesce(max(c.row_id) - p_window, 0) into v_from from bff.audit_chain c;
  insert into bff.audit_chain (row_id)
    select a.id from bff.audit a where a.id > v_from
      and not exists (select from bff.audit_chain c where c.row_id = a.id and c.row_id > v_from)
    order by a.id limit p_max;
  get diagnostics v_sealed = row_count;
  return v_sealed;
end $$;

alter table bff.audit_chain enable row level security;
alter table bff.audit_chain force row level security;
-- Digests alone, of no tenant. Who may read and write at all is said by the grants below; the owner, by mistake, may not
-- add a link, and hears of the triggers at a change.
create policy chain_read on bff.audit_chain using (true) with check (false);
create policy chain_sealed on bff.audit_chain for insert to eve_sealer with check (true);
create policy all_tenants on bff.audit for select to eve_sealer using (true);
grant select on bff.audit, bff.audit_chain to eve_sealer;
grant insert (row_id) on bff.audit_chain to eve_sealer;

-- Whether the chain has this link at this place. The place before the first has no row.
create function bff.audit_holds(p_seq bigint, p_link bytea) returns boolean
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select case when p_seq = 0 then p_link = decode(repeat('00', 32), 'hex')
    else exists (select from bff.audit_chain c where c.seq = p_seq and c.link = p_link) end
$$;

revoke all on function bff.framed(text), bff.audit_row_digest(bff.audit), bff.audit_link(bytea, bigint, bigint, bytea),
  bff.chain_audit_row(), bff.seal_audit(integer, bigint), bff.audit_holds(bigint, bytea) from public;
grant execute on function bff.framed(text), bff.audit_row_digest(bff.audit),
  bff.audit_link(bytea, bigint, bigint, bytea), bff.seal_audit(integer, bigint) to eve_sealer;
grant execute on function bff.audit_holds(bigint, bytea) to eve_service;
`;
