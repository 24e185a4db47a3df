/** Deciding: what is locked tells its seal and what the audit says, and what is recorded is sealed. */
export const decideSealed = `
create or replace function bff.lock_consent(p_credential uuid, p_consent uuid) returns json
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare who bff.credentials; c bff.consents; i bff.items;
begin
  -- Held to the end, so that a revocation is before or after the whole decision.
  perform from bff.credentials where id = p_credential for share;
  who := bff.enter(p_credential);
  if who.id is null then return bff.no('auth.token_invalid'); end if;
  if who.class <> 'operator' then return bff.yes(json_build_object('consent', null)); end if;
  select * into c from bff.consents where id = p_consent and tenant = who.tenant for update;
  if not found then return bff.yes(json_build_object('consent', null)); end if;
  select * into i from bff.items where id = c.item and tenant = who.tenant for update;
  return bff.yes(json_build_object('consent', json_build_object(
      'id', c.id, 'state', c.state, 'principal', c.principal, 'actor', c.actor, 'tenant', c.tenant,
      'binding', encode(c.binding, 'hex'), 'digest', c.digest, 'outcome', c.outcome,
      'approver', c.decided_by, 'at', bff.instant(c.decided_at), 'mac', c.approval_mac,
      'fields', bff.consent_fields(c), 'seal', c.seal,
      'isAsTold', not bff.is_reopened(c) and bff.is_as_told(i)),
    'item', json_build_object(
      'itemId', coalesce(i.id, ''), 'state', coalesce(i.state, ''), 'version', coalesce(i.version, 0)),
    'now', bff.instant(bff.clock())));
end $$;

-- Ends a consent without an effect.
drop function bff.close_consent(bff.credentials, uuid, text, text, timestamptz);
create function bff.close_consent(
  who bff.credentials, c bff.consents, p_state text, p_code text, v_now timestamptz, p_pads bytea
) returns void language plpgsql volatile set search_path = pg_catalog, pg_temp as $$
begin
  c.state := p_state; c.closed_at := v_now; c.close_code := p_code;
  update bff.consents set state = c.state, closed_at = c.closed_at, close_code = c.close_code,
    seal = bff.consent_seal(p_pads, c) where id = c.id;
  perform bff.tell(who, 'consent.' || p_state, c.id::text, p_code);
end $$;

drop function bff.record_refused_decision(uuid, uuid, text);
create function bff.record_refused_decision(p_credential uuid, p_consent uuid, p_code text, p_pads bytea) returns json
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare who bff.credentials := bff.enter(p_credential); c bff.consents; v_now timestamptz := bff.clock();
begin
  if who.id is null then return bff.no('auth.token_invalid'); end if;
  select * into c from bff.consents where id = p_consent and tenant = who.tenant;
  if who.class = 'operator' and c.state in ('pending', 'approved') and p_code = 'consent.expired' then
    perform bff.close_consent(who, c, 'expired', p_code, v_now, p_pads);
  elsif who.class = 'operator' and c.state = 'pending' and p_code = 'consent.item_changed' then
    perform bff.close_consent(who, c, 'voided', p_code, v_now, p_pads);
  else
    perform bff.tell(who, 'consent.decision_refused', p_consent::text, p_code);
  end if;
  return bff.no(p_code);
end $$;

drop function bff.record_decision(uuid, uuid, text, text, text, timestamptz, text);
create function bff.record_decision(
  p_credential uuid, p_consent uuid, p_decision text, p_digest text, p_reason text, p_at timestamptz, p_mac text,
  p_pads bytea
) returns json language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare who bff.credentials := bff.enter(p_credential); c bff.consents; v_now timestamptz;
begin
  if who.id is null then return bff.no('auth.token_invalid'); end if;
  select * into strict c from bff.consents where id = p_consent and tenant = who.tenant for update;
  v_now := bff.clock();
  if who.class <> 'operator' or lower(who.principal) in (lower(c.principal), lower(c.actor)) or c.digest <> p_digest
     or c.state <> 'pending' or p_at not between v_now - interval '10 seconds' and v_now or p_at >= c.expires_at
     or (p_decision = 'approve') <> (p_mac is not null) then
    raise exception 'this decision was not judged' using errcode = 'check_violation';
  end if;
  if not bff.is_of_its_credential(c) then
    perform bff.tell(who, 'consent.decision_refused', c.id::text, 'consent.integrity');
    return bff.no('consent.integrity');
  end if;
  -- Who judged may have slept since.
  if c.expires_at <= v_now then
    perform bff.close_consent(who, c, 'expired', 'consent.expired', v_now, p_pads);
    return bff.no('consent.expired');
  end if;
  c.decided_at := p_at; c.decided_by := who.principal; c.decision_reason := p_reason;
  if p_decision = 'approve' then
    c.state := 'approved'; c.approval_mac := p_mac; c.expires_at := p_at + interval '10 minutes';
  elsif p_decision = 'decline' then
    c.state := 'declined'; c.closed_at := p_at; c.close_code := 'consent.declined';
  else
    raise exception 'no decision: %', p_decision using errcode = 'check_violation';
  end if;
  update bff.consents set state = c.state, decided_at = c.decided_at, decided_by = c.decided_by,
    decision_reason = c.decision_reason, approval_mac = c.approval_mac, expires_at = c.expires_at,
    closed_at = c.closed_at, close_code = c.close_code, seal = bff.consent_seal(p_pads, c) where id = c.id;
  perform bff.tell(who, 'consent.' || c.state, c.id::text, null,
    jsonb_build_object('digest', c.digest, 'reason', p_reason));
  return bff.yes(json_build_object('id', c.id));
end $$;

revoke all on function bff.close_consent(bff.credentials, bff.consents, text, text, timestamptz, bytea),
  bff.record_refused_decision(uuid, uuid, text, bytea),
  bff.record_decision(uuid, uuid, text, text, text, timestamptz, text, bytea) from public;
grant execute on function bff.record_refused_decision(uuid, uuid, text, bytea),
  bff.record_decision(uuid, uuid, text, text, text, timestamptz, text, bytea) to eve_service;
`;
