-- A home-owner is in the feed while a project is theirs. Row by row: each new project asks to mark its owner, and most are marked already.
create or replace function queue_customer() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into change_queue (contractor_id, resource, record_id, change, version)
      values (new.contractor_id, 'customers', new.id, 'created', new.updated_at);
  elsif tg_op = 'DELETE' then
    insert into change_queue (contractor_id, resource, record_id, change, was)
      values (old.contractor_id, 'customers', old.id, 'deleted', old.updated_at);
  else
    insert into change_queue (contractor_id, resource, record_id, change, was, version)
      values (new.contractor_id, 'customers', new.id,
        case when not old.owns_project then 'created' when not new.owns_project then 'deleted' else 'updated' end,
        case when old.owns_project then old.updated_at end, case when new.owns_project then new.updated_at end);
  end if;
  return null;
end $$;
