/** Writing a consent request: one row, and nothing else. The row is its own record, so no audit row tells of it. */
export const requestConsent = `
create function bff.request_consent(p_credential uuid, p_key text, p_item text, p_binding bytea) returns json
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
    and c.request_key = p_key and c.state = 'pending' and c.expires_at > v_now limit 1;
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
`;
