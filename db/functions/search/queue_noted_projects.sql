-- Queues the projects on which a note or a follow-up was written or undone: their documents have what was written.
create or replace function queue_noted_projects() returns trigger language plpgsql as $$
begin
  insert into search_queue (owner, kind, reference) select distinct contractor_id, 'project', project_id from new_rows;
  return null;
end $$;
