/**
 * What the service's role may do: read its tenant's rows, and call the functions that write. It owns nothing and
 * changes no table itself. Row level security is forced, so that it binds the owner too.
 */
export const rights = `
do $$ declare t text;
begin
  foreach t in array array['items', 'notes', 'history', 'consents', 'audit'] loop
    execute format('alter table bff.%I enable row level security', t);
    execute format('alter table bff.%I force row level security', t);
    execute format('create policy own_tenant on bff.%I using (tenant = (select bff.tenant()))
      with check (tenant = (select bff.tenant()))', t);
    execute format('grant select on bff.%I to eve_service', t);
  end loop;
end $$;

revoke all on all functions in schema bff from public;
grant execute on function
  bff.clock(), bff.tenant(), bff.authenticate(bytea), bff.remember_registry(text, bigint, text),
  bff.create_item(uuid, text, text), bff.claim_item(uuid, text), bff.submit_change(uuid, text, text, text),
  bff.add_note(uuid, text, text), bff.request_consent(uuid, text, text, bytea), bff.lock_consent(uuid, uuid),
  bff.record_refused_decision(uuid, uuid, text),
  bff.record_decision(uuid, uuid, text, text, text, timestamptz, text),
  bff.execute_consent(uuid, uuid, text, text, text, text, text, bytea)
to eve_service;
`;
