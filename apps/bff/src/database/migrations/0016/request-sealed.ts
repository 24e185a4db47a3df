/** Writing a consent request: sealed, and at most 32 of an actor and 256 of a tenant at a time. */
export const requestSealed = `
drop function bff.request_consent(uuid, text, text, bytea);
create function bff.request_consent(p_credential uuid, p_key text, p_item text, p_binding bytea, p_pads bytea)
returns json language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  who bff.credentials := bff.enter(p_credential);
  binding json := convert_from(p_binding, 'UTF8')::json;
  c bff.consents; v_now timestamptz; v_same uuid; v_told boolean;
begin
  if bff.not_an_agent(who) is not null then return bff.no(bff.not_an_agent(who)); end if;
  -- One at a time per tenant: two same calls at once are one request, and both quotas hold. Until the end of this
  -- transaction only, so that a pooler between changes nothing.
  perform pg_advisory_xact_lock(hashtextextended('eve/consent-request/2 ' || who.tenant, 0));
  v_now := bff.clock();
  select o.id into v_same from bff.consents o where o.tenant = who.tenant and o.actor = who.actor
    and o.principal = who.principal and o.request_key = p_key and o.state = 'pending' and o.expires_at > v_now limit 1;
  if found then return bff.yes(json_build_object('id', v_same)); end if;
  -- All credentials of an actor share one quota, and all actors of a tenant another.
  if (select count(*) filter (where o.actor = who.actor) >= 32 or count(*) >= 256 from bff.consents o
      where o.tenant = who.tenant and o.state = 'pending' and o.expires_at > v_now) then
    perform bff.tell(who, 'consent.requested', p_item, 'consent.quota_exceeded');
    return bff.no('consent.quota_exceeded');
  end if;
  -- In one statement, so that the item and what is told of it are of one moment.
  select bff.is_as_told(i) into v_told from bff.items i where i.id = p_item and i.tenant = who.tenant;
  c.id := (binding ->> 'consentId')::uuid;
  c.expires_at := (binding ->> 'expiresAt')::timestamptz;
  c.created_at := c.expires_at - interval '10 minutes';
  if v_told is null or binding ->> 'actor' <> who.actor or binding ->> 'tenant' <> who.tenant
     or binding -> 'preview' ->> 'itemId' <> p_item
     or c.created_at not between v_now - interval '20 seconds' and v_now + interval '1 second' then
    raise exception 'the binding is not of this request' using errcode = 'check_violation';
  end if;
  if not v_told then
    perform bff.tell(who, 'consent.requested', p_item, 'consent.integrity');
    return bff.no('consent.integrity');
  end if;
  c.tenant := who.tenant; c.actor := who.actor; c.principal := who.principal; c.credential := who.id;
  c.item := p_item; c.request_key := p_key; c.state := 'pending';
  c.digest := encode(sha256('\\x6576652f636f6e73656e742f3100'::bytea || p_binding), 'hex');
  insert into bff.consents (
      id, tenant, actor, principal, credential, item, request_key, binding, created_at, expires_at, seal)
    values (c.id, c.tenant, c.actor, c.principal, c.credential, c.item, c.request_key, p_binding, c.created_at,
      c.expires_at, bff.consent_seal(p_pads, c));
  return bff.yes(json_build_object('id', c.id));
end $$;

revoke all on function bff.request_consent(uuid, text, text, bytea, bytea) from public;
grant execute on function bff.request_consent(uuid, text, text, bytea, bytea) to eve_service;
`;
