/** Using an approval: with the seal, and in one round trip with the judgement of who calls under which registry. */
export const executeSealed = `
drop function bff.is_intact(bff.consents, json, bytea);
-- The bytes are those that were stored, of this row; the seal is the keys' own, and so is an approval; and no end was
-- left again.
create function bff.is_intact(c bff.consents, binding json, p_key bytea, p_pads bytea) returns boolean
language sql stable set search_path = pg_catalog, pg_temp as $$
  select c.digest = encode(sha256('\\x6576652f636f6e73656e742f3100'::bytea || c.binding), 'hex')
    and coalesce(sha256(convert_to(bff.consent_seal(p_pads, c), 'UTF8')) = sha256(convert_to(c.seal, 'UTF8')), false)
    and coalesce(binding ->> 'consentId' = c.id::text and binding ->> 'actor' = c.actor
      and binding ->> 'tenant' = c.tenant and binding -> 'preview' ->> 'itemId' = c.item, false)
    and case
      when c.approval_mac is null then c.state not in ('approved', 'consumed')
        and coalesce(c.expires_at = (binding ->> 'expiresAt')::timestamptz, false)
      else c.state not in ('pending', 'declined')
        and c.expires_at = c.decided_at + interval '10 minutes'
        and lower(c.decided_by) not in (lower(c.principal), lower(c.actor))
        and coalesce(sha256(convert_to(bff.approval_mac(p_key, c), 'UTF8'))
          = sha256(convert_to(c.approval_mac, 'UTF8')), false)
    end
    and bff.is_of_its_credential(c)
    and not bff.is_reopened(c)
$$;

drop function bff.judge_execution(
  bff.consents, json, bff.items, text, text, text, text, text, bytea, timestamptz);
-- Why this call may not use this consent now; null if it may. The order is that of consent-binding's judgements.
create function bff.judge_execution(
  c bff.consents, binding json, i bff.items, p_integration text, p_tool text, p_arguments text, p_pins text,
  p_entry text, p_key bytea, p_pads bytea, v_now timestamptz
) returns text language sql stable set search_path = pg_catalog, pg_temp as $$
  select case
    when not bff.is_intact(c, binding, p_key, p_pads) then 'consent.integrity'
    when c.state in ('consumed', 'declined', 'expired', 'voided') then 'consent.' || c.state
    when c.expires_at <= v_now then 'consent.expired'
    when c.state = 'pending' then 'consent.pending'
    -- -> answers the text as it is stored, so these compare bytes: no folding, no rounding, no normalisation.
    when binding ->> 'integration' is distinct from p_integration or binding ->> 'tool' is distinct from p_tool
      or (binding -> 'arguments')::text is distinct from p_arguments then 'consent.arguments_mismatch'
    when (binding -> 'toolPins')::text is distinct from p_pins
      or binding ->> 'entryDigest' is distinct from p_entry then 'consent.surface_changed'
    when not bff.is_as_told(i) then 'consent.integrity'
    when i.version::text is distinct from binding -> 'preview' ->> 'version'
      or i.state is distinct from binding -> 'preview' ->> 'from' then 'consent.item_changed'
  end
$$;

drop function bff.execute_consent(uuid, uuid, text, text, text, text, text, bytea);
-- Answers the item too where the approval was used.
create function bff.execute_consent(
  p_credential uuid, p_consent uuid, p_integration text, p_tool text, p_arguments text, p_pins text, p_entry text,
  p_key bytea, p_pads bytea
) returns json language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  who bff.credentials := bff.enter(p_credential);
  c bff.consents; i bff.items; binding json; v_now timestamptz; v_code text; v_from text;
begin
  if who.id is null then return bff.no('auth.token_invalid'); end if;
  -- Only agents ask, so to any other class there is none; nor to the same actor of another principal, unless the row
  -- says a principal that never asked.
  select * into c from bff.consents
    where id = p_consent and tenant = who.tenant and actor = who.actor and who.class = 'agent' for update;
  if not found or (c.principal <> who.principal and bff.is_of_its_credential(c)) then
    perform bff.tell(who, 'consent.execution_refused', p_consent::text, 'consent.not_found');
    return bff.no('consent.not_found');
  end if;
  select * into i from bff.items where id = c.item and tenant = who.tenant for update;
  -- After both locks: whatever was waited for is past, a revocation too, and no later step waits.
  v_now := bff.clock();
  who := bff.enter(p_credential);
  if who.id is null or who.expires_at <= v_now then return bff.no('auth.token_invalid'); end if;
  begin
    binding := convert_from(c.binding, 'UTF8')::json;
  exception when data_exception then binding := null;
  end;
  v_code := bff.judge_execution(
    c, binding, i, p_integration, p_tool, p_arguments, p_pins, p_entry, p_key, p_pads, v_now);

  -- Nobody has decided: nothing happened that an audit would tell, and clients ask again and again.
  if v_code = 'consent.pending' then return bff.no(v_code); end if;
  if v_code = 'consent.expired' and c.state in ('pending', 'approved') then
    perform bff.close_consent(who, c, 'expired', v_code, v_now, p_pads);
    return bff.no(v_code);
  end if;
  if v_code in ('consent.surface_changed', 'consent.item_changed') then
    perform bff.close_consent(who, c, 'voided', v_code, v_now, p_pads);
    return bff.no(v_code);
  end if;
  if v_code is not null then
    perform bff.tell(who, 'consent.execution_refused', c.id::text, v_code);
    return bff.no(v_code, case when v_code = 'consent.consumed' then c.outcome::json end);
  end if;

  v_from := i.state;
  update bff.items set state = binding -> 'preview' ->> 'to', version = version + 1, updated_at = v_now,
    channel = coalesce(binding -> 'preview' -> 'effect' ->> 'channel', channel) where id = i.id returning * into i;
  perform bff.tell_move(who, v_from, i, c.id);
  c.state := 'consumed'; c.closed_at := v_now; c.close_code := 'consent.consumed';
  c.outcome := jsonb_build_object('itemId', i.id, 'from', v_from, 'to', i.state, 'version', i.version,
    'executedAt', bff.instant(v_now));
  update bff.consents set state = c.state, closed_at = c.closed_at, close_code = c.close_code, outcome = c.outcome,
    seal = bff.consent_seal(p_pads, c) where id = c.id;
  perform bff.tell(who, 'consent.consumed', c.id::text, null,
    c.outcome || jsonb_build_object('digest', c.digest, 'approver', c.decided_by));
  return json_build_object('ok', true, 'value', c.outcome, 'item', bff.item_json(i));
end $$;

-- An execution with everything before it. p_fields are of a credential whose seal was checked before: only if it is
-- still that to the letter, the registry is the highest seen, and the clock within the time for which the registry was
-- judged, the approval is used. Else nothing is done and null is answered: the call goes the whole way.
create function bff.execute_at_once(
  p_fields text[], p_environment text, p_sequence bigint, p_sha256 text, p_from timestamptz, p_until timestamptz,
  p_consent uuid, p_integration text, p_tool text, p_arguments text, p_pins text, p_entry text, p_key bytea, p_pads bytea
) returns json language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare k bff.credentials; v_now timestamptz := bff.clock();
begin
  select * into k from bff.credentials where id = p_fields[1]::uuid;
  if not found or bff.credential_fields(k) is distinct from p_fields or k.revoked_at is not null
     or v_now not between p_from and p_until or not exists (
       select from bff.registries r
       where r.environment = p_environment and r.sequence = p_sequence and r.sha256 = p_sha256) then
    return null;
  end if;
  perform set_config('eve.tenant', k.tenant, true);
  if bff.is_told_revoked(k.id) then return null; end if;
  return json_build_object('now', bff.instant(v_now), 'answer', bff.execute_consent(
    k.id, p_consent, p_integration, p_tool, p_arguments, p_pins, p_entry, p_key, p_pads));
end $$;

-- Ends an open consent of the caller whose entry is not active: it stays ended when the entry is active again.
create function bff.void_consent(p_credential uuid, p_consent uuid, p_code text, p_pads bytea) returns json
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare who bff.credentials := bff.enter(p_credential); c bff.consents;
begin
  if bff.not_an_agent(who) is not null then return bff.no(bff.not_an_agent(who)); end if;
  if p_code not in ('lifecycle.quarantined', 'lifecycle.revoked') then
    raise exception 'no reason to void: %', p_code using errcode = 'check_violation';
  end if;
  select * into c from bff.consents
    where id = p_consent and tenant = who.tenant and actor = who.actor and principal = who.principal for update;
  if not found then return bff.no('consent.not_found'); end if;
  -- What was altered is left as it is, for whom it is shown to.
  if c.seal is distinct from bff.consent_seal(p_pads, c) then return bff.no('consent.integrity'); end if;
  if c.state in ('pending', 'approved') then
    perform bff.close_consent(who, c, 'voided', p_code, bff.clock(), p_pads);
  end if;
  return bff.yes(null);
end $$;

-- As before; but the registry that all have seen is told from another without a lock.
create or replace function bff.remember_registry(p_environment text, p_sequence bigint, p_sha256 text) returns json
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare seen bff.registries;
begin
  select * into seen from bff.registries where environment = p_environment;
  if seen.sequence = p_sequence and seen.sha256 = p_sha256 then return bff.yes(null); end if;
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

revoke all on function bff.is_intact(bff.consents, json, bytea, bytea),
  bff.judge_execution(
    bff.consents, json, bff.items, text, text, text, text, text, bytea, bytea, timestamptz),
  bff.execute_consent(uuid, uuid, text, text, text, text, text, bytea, bytea),
  bff.execute_at_once(text[], text, bigint, text, timestamptz, timestamptz, uuid, text, text, text, text, text, bytea,
    bytea),
  bff.void_consent(uuid, uuid, text, bytea) from public;
grant execute on function bff.execute_consent(uuid, uuid, text, text, text, text, text, bytea, bytea),
  bff.execute_at_once(text[], text, bigint, text, timestamptz, timestamptz, uuid, text, text, text, text, text, bytea,
    bytea),
  bff.void_consent(uuid, uuid, text, bytea) to eve_service;
`;
