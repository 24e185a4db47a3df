/** What an agent does with an item waits for its lock; whoever was revoked meanwhile does nothing, as in an execution. */
export const itemsAfterLocks = `
create or replace function bff.claim_item(p_credential uuid, p_item text) returns json
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare who bff.credentials := bff.enter(p_credential); i bff.items; v_now timestamptz;
begin
  if bff.not_an_agent(who) is not null then return bff.no(bff.not_an_agent(who)); end if;
  select * into i from bff.items where id = p_item and tenant = who.tenant for update;
  if not found then return bff.no('item.not_found'); end if;
  who := bff.enter(p_credential);
  if who.id is null then return bff.no('auth.token_invalid'); end if;
  if i.state <> 'queued' then return bff.no('item.state_refused'); end if;
  v_now := bff.clock();
  perform bff.move_item(who, i, 'claimed', null, v_now);
  update bff.items set state = 'claimed', assignee = who.actor, version = version + 1, updated_at = v_now
    where id = i.id returning * into i;
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
  if i.state <> 'claimed' or i.assignee <> who.actor then return bff.no('item.state_refused'); end if;
  v_now := bff.clock();
  perform bff.move_item(who, i, 'submitted', null, v_now);
  update bff.items set state = 'submitted', version = version + 1, updated_at = v_now, change_summary = p_summary,
    change_artifact = p_artifact, change_submitted_at = v_now where id = i.id returning * into i;
  return bff.yes(bff.item_json(i));
end $$;
`;
