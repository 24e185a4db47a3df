/**
 * Deciding: the service locks and reads the consent, judges it with the key that the database lacks, and records in
 * the same transaction. What is recorded is checked again here for all that needs no key.
 */
export const decideConsent = `
create function bff.lock_consent(p_credential uuid, p_consent uuid) returns json
language plpgsql volatile security definer set search_path = pg_catalog as $$
declare who bff.credentials; c bff.consents; i bff.items;
begin
  -- Held to the end, so that a revocation is before or after the whole decision.
  perform from bff.credentials where id = p_credential for share;
  who := bff.enter(p_credential);
  if who.id is null then return bff.no('auth.token_invalid'); end if;
  if who.class <> 'operator' then return bff.yes(json_build_object('consent', null)); end if;
  select * into c from bff.consents where id = p_consent and tenant = who.tenant for update;
  if not found then return bff.yes(json_build_object('consent', null)); end if;
  select * into strict i from bff.items where id = c.item and tenant = who.tenant for update;
  return bff.yes(json_build_object('consent', json_build_object(
      'id', c.id, 'state', c.state, 'principal', c.principal, 'actor', c.actor, 'tenant', c.tenant,
      'binding', encode(c.binding, 'hex'), 'digest', c.digest, 'outcome', c.outcome,
      'approver', c.decided_by, 'at', bff.instant(c.decided_at), 'mac', c.approval_mac),
    'item', json_build_object('itemId', i.id, 'state', i.state, 'version', i.version),
    'now', bff.instant(bff.clock())));
end $$;

-- Ends a consent without an effect.
create function bff.close_consent(
  who bff.credentials, p_consent uuid, p_state text, p_code text, v_now timestamptz
) returns void language plpgsql volatile set search_path = pg_catalog as $$
begin
  update bff.consents set state = p_state, closed_at = v_now, close_code = p_code where id = p_consent;
  perform bff.tell(who, 'consent.' || p_state, p_consent::text, p_code);
end $$;

create function bff.record_refused_decision(p_credential uuid, p_consent uuid, p_code text) returns json
language plpgsql volatile security definer set search_path = pg_catalog as $$
declare who bff.credentials := bff.enter(p_credential); v_state text; v_now timestamptz := bff.clock();
begin
  if who.id is null then return bff.no('auth.token_invalid'); end if;
  select state into v_state from bff.consents where id = p_consent and tenant = who.tenant;
  if who.class = 'operator' and v_state in ('pending', 'approved') and p_code = 'consent.expired' then
    perform bff.close_consent(who, p_consent, 'expired', p_code, v_now);
  elsif who.class = 'operator' and v_state = 'pending' and p_code = 'consent.item_changed' then
    perform bff.close_consent(who, p_consent, 'voided', p_code, v_now);
  else
    perform bff.tell(who, 'consent.decision_refused', p_consent::text, p_code);
  end if;
  return bff.no(p_code);
end $$;

create function bff.record_decision(
  p_credential uuid, p_consent uuid, p_decision text, p_digest text, p_reason text, p_at timestamptz, p_mac text
) returns json language plpgsql volatile security definer set search_path = pg_catalog as $$
declare who bff.credentials := bff.enter(p_credential); c bff.consents; v_now timestamptz := bff.clock();
begin
  select * into strict c from bff.consents where id = p_consent and tenant = who.tenant for update;
  if who.class <> 'operator' or lower(who.principal) in (lower(c.principal), lower(c.actor)) or c.digest <> p_digest
     or c.state <> 'pending' or p_at not between v_now - interval '10 seconds' and v_now or p_at >= c.expires_at
     or (p_decision = 'approve') <> (p_mac is not null) then
    raise exception 'this decision was not judged' using errcode = 'check_violation';
  end if;
  if p_decision = 'approve' then
    update bff.consents set state = 'approved', decided_at = p_at, decided_by = who.principal,
      decision_reason = p_reason, approval_mac = p_mac, expires_at = p_at + interval '10 minutes' where id = c.id;
    perform bff.tell(who, 'consent.approved', c.id::text, null,
      jsonb_build_object('digest', c.digest, 'reason', p_reason));
  elsif p_decision = 'decline' then
    update bff.consents set state = 'declined', decided_at = p_at, decided_by = who.principal,
      decision_reason = p_reason, closed_at = p_at, close_code = 'consent.declined' where id = c.id;
    perform bff.tell(who, 'consent.declined', c.id::text, null,
      jsonb_build_object('digest', c.digest, 'reason', p_reason));
  else
    raise exception 'no decision: %', p_decision using errcode = 'check_violation';
  end if;
  return bff.yes(json_build_object('id', c.id));
end $$;
`;
