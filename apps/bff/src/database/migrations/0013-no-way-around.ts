/**
 * Five ways around what came before, closed:
 * - a session's temporary types came before PostgreSQL's own in functions that run as the owner, so that the service's
 *   role could have its code run as the owner (a path that does not name pg_temp searches it first, CVE-2007-2138);
 * - a credential that was revoked while its execution waited for a lock could still execute;
 * - a decision judged before the request ended could be recorded after it;
 * - a consent's row could be given another requester's principal, and then be approved by its requester;
 * - one actor's credentials of two principals shared requests, so that one could approve what the other had asked.
 * And codes are compared by their digests, so that the time it takes tells nothing of them.
 */
export const noWayAround = `
-- The consent is of the credential that asked.
create function bff.is_of_its_credential(c bff.consents) returns boolean
language sql stable set search_path = pg_catalog as $$
  select exists (select from bff.credentials k where k.id = c.credential and k.class = 'agent'
    and (k.tenant, k.actor, k.principal) = (c.tenant, c.actor, c.principal))
$$;
revoke all on function bff.is_of_its_credential(bff.consents) from public;

-- The bytes are those that were stored, of this row, and an approval is one that the key made.
create or replace function bff.is_intact(c bff.consents, binding json, p_key bytea) returns boolean
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
        and coalesce(sha256(convert_to(bff.approval_mac(p_key, c), 'UTF8'))
          = sha256(convert_to(c.approval_mac, 'UTF8')), false)
    end
    and bff.is_of_its_credential(c)
$$;

create or replace function bff.execute_consent(
  p_credential uuid, p_consent uuid, p_integration text, p_tool text, p_arguments text, p_pins text, p_entry text,
  p_key bytea
) returns json language plpgsql volatile security definer set search_path = pg_catalog as $$
declare
  who bff.credentials := bff.enter(p_credential);
  c bff.consents; i bff.items; binding json; v_now timestamptz; v_code text; v_outcome jsonb;
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
  select * into strict i from bff.items where id = c.item and tenant = who.tenant for update;
  -- After both locks: whatever was waited for is past, a revocation too, and no later step waits.
  v_now := bff.clock();
  who := bff.enter(p_credential);
  if who.id is null or who.expires_at <= v_now then return bff.no('auth.token_invalid'); end if;
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

create or replace function bff.request_consent(p_credential uuid, p_key text, p_item text, p_binding bytea) returns json
language plpgsql volatile security definer set search_path = pg_catalog as $$
declare
  who bff.credentials := bff.enter(p_credential);
  binding json := convert_from(p_binding, 'UTF8')::json;
  v_id uuid := (binding ->> 'consentId')::uuid;
  v_expires timestamptz := (binding ->> 'expiresAt')::timestamptz;
  v_previewed timestamptz := v_expires - interval '10 minutes';
  v_now timestamptz;
  v_same uuid;
begin
  if bff.not_an_agent(who) is not null then return bff.no(bff.not_an_agent(who)); end if;
  -- One at a time per actor: two same calls at once are one request, and the quota holds. Until the end of this
  -- transaction only, so that a pooler between changes nothing.
  perform pg_advisory_xact_lock(hashtextextended('eve/consent-request/1 ' || who.tenant || ' ' || who.actor, 0));
  v_now := bff.clock();
  select c.id into v_same from bff.consents c where c.tenant = who.tenant and c.actor = who.actor
    and c.principal = who.principal and c.request_key = p_key and c.state = 'pending' and c.expires_at > v_now limit 1;
  if found then return bff.yes(json_build_object('id', v_same)); end if;
  if (select count(*) from bff.consents c where c.tenant = who.tenant and c.actor = who.actor
      and c.state = 'pending' and c.expires_at > v_now) >= 32 then
    perform bff.tell(who, 'consent.requested', p_item, 'consent.quota_exceeded');
    return bff.no('consent.quota_exceeded');
  end if;
  if binding ->> 'actor' <> who.actor or binding ->> 'tenant' <> who.tenant
     or binding -> 'preview' ->> 'itemId' <> p_item
     or not exists (select from bff.items i where i.id = p_item and i.tenant = who.tenant)
     or v_previewed not between v_now - interval '20 seconds' and v_now + interval '1 second' then
    raise exception 'the binding is not of this request' using errcode = 'check_violation';
  end if;
  insert into bff.consents (id, tenant, actor, principal, credential, item, request_key, binding, created_at, expires_at)
    values (v_id, who.tenant, who.actor, who.principal, who.id, p_item, p_key, p_binding, v_previewed, v_expires);
  return bff.yes(json_build_object('id', v_id));
end $$;

create or replace function bff.record_decision(
  p_credential uuid, p_consent uuid, p_decision text, p_digest text, p_reason text, p_at timestamptz, p_mac text
) returns json language plpgsql volatile security definer set search_path = pg_catalog as $$
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
    perform bff.close_consent(who, c.id, 'expired', 'consent.expired', v_now);
    return bff.no('consent.expired');
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

-- Last, so that it finds the functions above too. A later migration names pg_temp by itself.
do $$ declare f regprocedure;
begin
  for f in select oid::regprocedure from pg_proc
    where pronamespace = 'bff'::regnamespace and proconfig @> array['search_path=pg_catalog'] loop
    execute format('alter function %s set search_path = pg_catalog, pg_temp', f);
  end loop;
end $$;
`;
