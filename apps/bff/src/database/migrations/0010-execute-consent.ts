/**
 * Using an approval: one call, one round trip, one transaction. The approval's MAC is checked here although the key is
 * outside: the service sends, with the call, the key of this one consent (derived from its key and the consent's id,
 * which it knows before it has read anything). Who has seen it can forge nothing but this very consent's approval.
 */
export const executeConsent = `
-- HMAC-SHA256 (RFC 2104) for keys of at most 64 bytes, in hex.
create function bff.hmac_sha256(p_key bytea, p_message bytea) returns text
language plpgsql immutable strict set search_path = pg_catalog as $$
declare
  v_inner bytea := p_key || decode(repeat('00', 64 - octet_length(p_key)), 'hex');
  v_outer bytea := v_inner;
begin
  for n in 0..63 loop
    v_outer := set_byte(v_outer, n, get_byte(v_inner, n) # 92);
    v_inner := set_byte(v_inner, n, get_byte(v_inner, n) # 54);
  end loop;
  return encode(sha256(v_outer || sha256(v_inner || p_message)), 'hex');
end $$;

-- HMAC over 'eve/approval/1', a zero byte and {approver, at, digest} in canonical form: no value holds a character
-- that JSON escapes.
create function bff.approval_mac(p_key bytea, c bff.consents) returns text
language sql stable set search_path = pg_catalog as $$
  select bff.hmac_sha256(p_key, '\\x6576652f617070726f76616c2f3100'::bytea || convert_to(
    '{"approver":"' || c.decided_by || '","at":"' || bff.instant(c.decided_at) || '","digest":"' || c.digest || '"}',
    'UTF8'))
$$;

-- The bytes are those that were stored, of this row, and an approval is one that the key made.
create function bff.is_intact(c bff.consents, binding json, p_key bytea) returns boolean
language sql stable set search_path = pg_catalog as $$
  select c.digest = encode(sha256('\\x6576652f636f6e73656e742f3100'::bytea || c.binding), 'hex')
    and coalesce(binding ->> 'consentId' = c.id::text and binding ->> 'actor' = c.actor
      and binding ->> 'tenant' = c.tenant and binding -> 'preview' ->> 'itemId' = c.item, false)
    and case
      when c.approval_mac is null then c.state not in ('approved', 'consumed')
        and coalesce(c.expires_at = (binding ->> 'expiresAt')::timestamptz, false)
      else c.state not in ('pending', 'declined')
        and c.expires_at = c.decided_at + interval '10 minutes'
        and lower(c.decided_by) not in (lower(c.principal), lower(c.actor))
        and coalesce(bff.approval_mac(p_key, c) = c.approval_mac, false)
    end
$$;

-- Why this call may not use this consent now; null if it may. The order is that of consent-binding's judgements.
create function bff.judge_execution(
  c bff.consents, binding json, i bff.items, p_integration text, p_tool text, p_arguments text, p_pins text,
  p_entry text, p_key bytea, v_now timestamptz
) returns text language sql stable set search_path = pg_catalog as $$
  select case
    when not bff.is_intact(c, binding, p_key) then 'consent.integrity'
    when c.state in ('consumed', 'declined', 'expired', 'voided') then 'consent.' || c.state
    when c.expires_at <= v_now then 'consent.expired'
    when c.state = 'pending' then 'consent.pending'
    -- -> answers the text as it is stored, so these compare bytes: no folding, no rounding, no normalisation.
    when binding ->> 'integration' is distinct from p_integration or binding ->> 'tool' is distinct from p_tool
      or (binding -> 'arguments')::text is distinct from p_arguments then 'consent.arguments_mismatch'
    when (binding -> 'toolPins')::text is distinct from p_pins
      or binding ->> 'entryDigest' is distinct from p_entry then 'consent.surface_changed'
    when i.version::text is distinct from binding -> 'preview' ->> 'version'
      or i.state is distinct from binding -> 'preview' ->> 'from' then 'consent.item_changed'
  end
$$;

create function bff.execute_consent(
  p_credential uuid, p_consent uuid, p_integration text, p_tool text, p_arguments text, p_pins text, p_entry text,
  p_key bytea
) returns json language plpgsql volatile security definer set search_path = pg_catalog as $$
declare
  who bff.credentials := bff.enter(p_credential);
  c bff.consents; i bff.items; binding json; v_now timestamptz; v_code text; v_outcome jsonb;
begin
  if who.id is null then return bff.no('auth.token_invalid'); end if;
  -- Only agents ask, so to any other class there is none.
  select * into c from bff.consents
    where id = p_consent and tenant = who.tenant and actor = who.actor and who.class = 'agent' for update;
  if not found then
    perform bff.tell(who, 'consent.execution_refused', p_consent::text, 'consent.not_found');
    return bff.no('consent.not_found');
  end if;
  select * into strict i from bff.items where id = c.item and tenant = who.tenant for update;
  -- After both locks: whatever was waited for is past, and no later step waits.
  v_now := bff.clock();
  if who.expires_at <= v_now then return bff.no('auth.token_invalid'); end if;
  begin
    binding := convert_from(c.binding, 'UTF8')::json;
  exception when data_exception then binding := null;
  end;
  v_code := bff.judge_execution(
    c, binding, i, p_integration, p_tool, p_arguments, p_pins, p_entry, p_key, v_now);

  -- Nobody has decided: nothing happened that an audit would tell, and clients ask again and again.
  if v_code = 'consent.pending' then return bff.no(v_code); end if;
  if v_code = 'consent.expired' and c.state in ('pending', 'approved') then
    perform bff.close_consent(who, c.id, 'expired', v_code, v_now);
    return bff.no(v_code);
  end if;
  if v_code in ('consent.surface_changed', 'consent.item_changed') then
    perform bff.close_consent(who, c.id, 'voided', v_code, v_now);
    return bff.no(v_code);
  end if;
  if v_code is not null then
    perform bff.tell(who, 'consent.execution_refused', c.id::text, v_code);
    return bff.no(v_code, case when v_code = 'consent.consumed' then c.outcome::json end);
  end if;

  perform bff.move_item(who, i, binding -> 'preview' ->> 'to', c.id, v_now);
  update bff.items set state = binding -> 'preview' ->> 'to', version = version + 1, updated_at = v_now,
    channel = coalesce(binding -> 'preview' -> 'effect' ->> 'channel', channel) where id = i.id;
  v_outcome := jsonb_build_object('itemId', i.id, 'from', i.state, 'to', binding -> 'preview' ->> 'to',
    'version', i.version + 1, 'executedAt', bff.instant(v_now));
  update bff.consents set state = 'consumed', closed_at = v_now, close_code = 'consent.consumed',
    outcome = v_outcome where id = c.id;
  perform bff.tell(who, 'consent.consumed', c.id::text, null,
    v_outcome || jsonb_build_object('digest', c.digest, 'approver', c.decided_by));
  return bff.yes(v_outcome::json);
end $$;
`;
