-- Queues new projects for the index.
create or replace function queue_new_projects() returns trigger language plpgsql as $$
begin
  insert into search_queue (owner, kind, reference) select contractor_id, 'project', id from new_rows;
  return null;
end $$;
