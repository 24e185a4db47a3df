/** What agents and operators do with items; each answers {ok, value} or {ok, code}. */
export const itemFunctions = `
create function bff.create_item(p_credential uuid, p_title text, p_description text) returns json
language plpgsql volatile security definer set search_path = pg_catalog as $$
declare who bff.credentials := bff.enter(p_credential); i bff.items; v_now timestamptz := bff.clock();
begin
  if who.id is null then return bff.no('auth.token_invalid'); end if;
  if who.class <> 'operator' then return bff.no('auth.realm_refused'); end if;
  insert into bff.items (tenant, title, description, created_at, updated_at)
    values (who.tenant, p_title, p_description, v_now, v_now) returning * into i;
  insert into bff.history (tenant, item, actor, from_state, to_state, version, at)
    values (who.tenant, i.id, who.actor, null, i.state, i.version, v_now);
  perform bff.tell(who, 'item.created', i.id, null);
  return bff.yes(bff.item_json(i));
end $$;

-- Moves an item that the caller has locked, and tells it in its history and in the audit.
create function bff.move_item(
  who bff.credentials, i bff.items, p_to text, p_consent uuid, v_now timestamptz
) returns void language plpgsql volatile set search_path = pg_catalog as $$
begin
  insert into bff.history (tenant, item, actor, from_state, to_state, version, consent, at)
    values (who.tenant, i.id, who.actor, i.state, p_to, i.version + 1, p_consent, v_now);
  perform bff.tell(who, 'item.' || p_to, i.id, null,
    jsonb_strip_nulls(jsonb_build_object('from', i.state, 'to', p_to, 'version', i.version + 1, 'consent', p_consent)));
end $$;

create function bff.claim_item(p_credential uuid, p_item text) returns json
language plpgsql volatile security definer set search_path = pg_catalog as $$
declare who bff.credentials := bff.enter(p_credential); i bff.items; v_now timestamptz;
begin
  if bff.not_an_agent(who) is not null then return bff.no(bff.not_an_agent(who)); end if;
  select * into i from bff.items where id = p_item and tenant = who.tenant for update;
  if not found then return bff.no('item.not_found'); end if;
  if i.state <> 'queued' then return bff.no('item.state_refused'); end if;
  v_now := bff.clock();
  perform bff.move_item(who, i, 'claimed', null, v_now);
  update bff.items set state = 'claimed', assignee = who.actor, version = version + 1, updated_at = v_now
    where id = i.id returning * into i;
  return bff.yes(bff.item_json(i));
end $$;

create function bff.submit_change(p_credential uuid, p_item text, p_summary text, p_artifact text) returns json
language plpgsql volatile security definer set search_path = pg_catalog as $$
declare who bff.credentials := bff.enter(p_credential); i bff.items; v_now timestamptz;
begin
  if bff.not_an_agent(who) is not null then return bff.no(bff.not_an_agent(who)); end if;
  select * into i from bff.items where id = p_item and tenant = who.tenant for update;
  if not found then return bff.no('item.not_found'); end if;
  if i.state <> 'claimed' or i.assignee <> who.actor then return bff.no('item.state_refused'); end if;
  v_now := bff.clock();
  perform bff.move_item(who, i, 'submitted', null, v_now);
  update bff.items set state = 'submitted', version = version + 1, updated_at = v_now, change_summary = p_summary,
    change_artifact = p_artifact, change_submitted_at = v_now where id = i.id returning * into i;
  return bff.yes(bff.item_json(i));
end $$;

create function bff.add_note(p_credential uuid, p_item text, p_text text) returns json
language plpgsql volatile security definer set search_path = pg_catalog as $$
declare who bff.credentials := bff.enter(p_credential); n bff.notes;
begin
  if bff.not_an_agent(who) is not null then return bff.no(bff.not_an_agent(who)); end if;
  perform from bff.items where id = p_item and tenant = who.tenant;
  if not found then return bff.no('item.not_found'); end if;
  insert into bff.notes (tenant, item, author, text, created_at)
    values (who.tenant, p_item, who.actor, p_text, bff.clock()) returning * into n;
  perform bff.tell(who, 'note.added', p_item, null, jsonb_build_object('note', n.id));
  return bff.yes(json_build_object(
    'id', n.id, 'author', n.author, 'text', n.text, 'createdAt', bff.instant(n.created_at)));
end $$;
`;
