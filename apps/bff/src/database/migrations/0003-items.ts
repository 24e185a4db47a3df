/** Work items, their notes and their history; each step an item takes is one that its life allows. */
export const items = `
create function bff.is_state(state text) returns boolean language sql immutable
  return state in ('queued', 'claimed', 'submitted', 'shipped', 'verified', 'rejected');

create table bff.items (
  id text primary key default 'item-' || left(replace(gen_random_uuid()::text, '-', ''), 20),
  tenant bff.name not null,
  title text not null check (char_length(title) between 1 and 200),
  description text not null check (char_length(description) <= 8000),
  state text not null default 'queued' check (bff.is_state(state)),
  assignee bff.name,
  version integer not null default 1 check (version > 0),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  change_summary text check (char_length(change_summary) between 1 and 4000),
  change_artifact bff.digest,
  change_submitted_at timestamptz,
  channel text check (channel in ('internal', 'beta', 'stable'))
);
create index items_newest_first on bff.items (tenant, updated_at desc, id desc);

create table bff.notes (
  id text primary key default 'note-' || left(replace(gen_random_uuid()::text, '-', ''), 20),
  sequence bigint generated always as identity,
  tenant bff.name not null,
  item text not null references bff.items,
  author bff.name not null,
  text text not null check (char_length(text) between 1 and 4000),
  created_at timestamptz not null
);
create index notes_of_item on bff.notes (item, sequence);

create table bff.history (
  sequence bigint generated always as identity primary key,
  tenant bff.name not null,
  item text not null references bff.items,
  actor bff.name not null,
  from_state text check (bff.is_state(from_state)),
  to_state text not null check (bff.is_state(to_state)),
  version integer not null,
  consent uuid,
  at timestamptz not null
);
create unique index history_of_item on bff.history (item, version);

create function bff.check_item_step() returns trigger language plpgsql set search_path = pg_catalog as $$
begin
  if (new.id, new.tenant, new.title, new.description, new.created_at)
       is distinct from (old.id, old.tenant, old.title, old.description, old.created_at)
     or new.version <> old.version + 1
     or (old.state, new.state) not in (('queued', 'claimed'), ('claimed', 'submitted'), ('submitted', 'shipped'),
       ('shipped', 'verified'), ('shipped', 'rejected')) then
    raise exception 'no step of an item: % to %', old.state, new.state using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger items_step before update on bff.items for each row execute function bff.check_item_step();
create trigger items_kept before delete on bff.items for each row execute function bff.refuse_change();
create trigger items_not_emptied before truncate on bff.items execute function bff.refuse_change();
create trigger notes_appended before update or delete on bff.notes for each row execute function bff.refuse_change();
create trigger notes_not_emptied before truncate on bff.notes execute function bff.refuse_change();
create trigger history_appended before update or delete on bff.history
  for each row execute function bff.refuse_change();
create trigger history_not_emptied before truncate on bff.history execute function bff.refuse_change();

create function bff.item_json(i bff.items) returns json language sql stable return json_build_object(
  'id', (i).id, 'title', (i).title, 'state', (i).state, 'assignee', (i).assignee, 'version', (i).version,
  'createdAt', bff.instant((i).created_at), 'updatedAt', bff.instant((i).updated_at));
`;
