-- Queues deleted projects, whose documents go.
create or replace function queue_gone_projects() returns trigger language plpgsql as $$
begin
  insert into search_queue (owner, kind, reference) select contractor_id, 'project', id from old_rows;
  return null;
end $$;
