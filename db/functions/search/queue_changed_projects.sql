-- Queues the projects whose document a change has altered.
create or replace function queue_changed_projects() returns trigger language plpgsql as $$
begin
  insert into search_queue (owner, kind, reference)
    select n.contractor_id, 'project', n.id from new_rows n join old_rows o on o.id = n.id
    where (n.name, n.description, n.address, n.city, n.state, n.zip, n.job_number is null)
      is distinct from (o.name, o.description, o.address, o.city, o.state, o.zip, o.job_number is null);
  return null;
end $$;
