/** Each step of an item tells in the audit what the row is after it, and the next step needs the row to be that. */
export const itemsAsTold = `
create function bff.item_digest(i bff.items) returns text language sql stable return
  encode(sha256('\\x6576652f6974656d2d726f772f3100'::bytea || bff.row_bytes(array[(i).id, (i).tenant::text, (i).title,
    (i).description, (i).state, (i).assignee::text, (i).version::text, bff.instant((i).created_at),
    bff.instant((i).updated_at), (i).change_summary, (i).change_artifact::text, bff.instant((i).change_submitted_at),
    (i).channel])), 'hex');

-- Of items whose last step is older than this, state and version were told alone.
create function bff.is_as_told(i bff.items) returns boolean language sql stable return coalesce((
  select case
    when a.detail ? 'rowSha256' then a.detail ->> 'rowSha256' = bff.item_digest(i)
    when a.action = 'item.created' then (i).state = 'queued' and (i).version = 1
    else a.detail ->> 'to' = (i).state and a.detail ->> 'version' = (i).version::text end
  from bff.audit a where a.subject = (i).id and a.action like 'item.%' order by a.id desc limit 1), false);

create or replace function bff.create_item(p_credential uuid, p_title text, p_description text) returns json
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare who bff.credentials := bff.enter(p_credential); i bff.items; v_now timestamptz := bff.clock();
begin
  if who.id is null then return bff.no('auth.token_invalid'); end if;
  if who.class <> 'operator' then return bff.no('auth.realm_refused'); end if;
  insert into bff.items (tenant, title, description, created_at, updated_at)
    values (who.tenant, p_title, p_description, v_now, v_now) returning * into i;
  insert into bff.history (tenant, item, actor, from_state, to_state, version, at)
    values (who.tenant, i.id, who.actor, null, i.state, i.version, v_now);
  perform bff.tell(who, 'item.created', i.id, null, jsonb_build_object('rowSha256', bff.item_digest(i)));
  return bff.yes(bff.item_json(i));
end $$;

-- Tells in its history and in the audit how an item that the caller has locked moved.
drop function bff.move_item(bff.credentials, bff.items, text, uuid, timestamptz);
create function bff.tell_move(
  who bff.credentials, p_from text, i bff.items, p_consent uuid
) returns void language plpgsql volatile set search_path = pg_catalog, pg_temp as $$
begin
  insert into bff.history (tenant, item, actor, from_state, to_state, version, consent, at)
    values (who.tenant, i.id, who.actor, p_from, i.state, i.version, p_consent, i.updated_at);
  perform bff.tell(who, 'item.' || i.state, i.id, null, jsonb_strip_nulls(jsonb_build_object('from', p_from,
    'to', i.state, 'version', i.version, 'consent', p_consent, 'rowSha256', bff.item_digest(i))));
end $$;

create or replace function bff.claim_item(p_credential uuid, p_item text) returns json
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare who bff.credentials := bff.enter(p_credential); i bff.items;
begin
  if bff.not_an_agent(who) is not null then return bff.no(bff.not_an_agent(who)); end if;
  select * into i from bff.items where id = p_item and tenant = who.tenant for update;
  if not found then return bff.no('item.not_found'); end if;
  who := bff.enter(p_credential);
  if who.id is null then return bff.no('auth.token_invalid'); end if;
  if not bff.is_as_told(i) then return bff.no('consent.integrity'); end if;
  if i.state <> 'queued' then return bff.no('item.state_refused'); end if;
  update bff.items set state = 'claimed', assignee = who.actor, version = version + 1, updated_at = bff.clock()
    where id = i.id returning * into i;
  perform bff.tell_move(who, 'queued', i, null);
  return bff.yes(bff.item_json(i));
end $$;

create or replace function bff.submit_change(p_credential uuid, p_item text, p_summary text, p_artifact text)
returns json language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare who bff.credentials := bff.enter(p_credential); i bff.items; v_now timestamptz;
begin
  if bff.not_an_agent(who) is not null then return bff.no(bff.not_an_agent(who)); end if;
  select * into i from bff.items where id = p_item and tenant = who.tenant for update;
  if not found then return bff.no('item.not_found'); end if;
  who := bff.enter(p_credential);
  if who.id is null then return bff.no('auth.token_invalid'); end if;
  if not bff.is_as_told(i) then return bff.no('consent.integrity'); end if;
  if i.state <> 'claimed' or i.assignee <> who.actor then return bff.no('item.state_refused'); end if;
  v_now := bff.clock();
  update bff.items set state = 'submitted', version = version + 1, updated_at = v_now, change_summary = p_summary,
    change_artifact = p_artifact, change_submitted_at = v_now where id = i.id returning * into i;
  perform bff.tell_move(who, 'claimed', i, null);
  return bff.yes(bff.item_json(i));
end $$;

revoke all on function bff.item_digest(bff.items), bff.is_as_told(bff.items),
  bff.tell_move(bff.credentials, text, bff.items, uuid) from public;
`;
