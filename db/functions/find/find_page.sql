-- Ids of a contractor's customers or projects that match, by the index of words alone; of leads, those of their projects by who wrote them.
create or replace function find_page(kind text, owner text, wanted tsquery, most int) returns setof text language plpgsql
set enable_seqscan = off set enable_indexscan = off as $$
begin
  if kind = 'customer' then
    return query select t.id from users t
      where find_words(contractor_id, id, name || ' ' || coalesce(address, '')) @@ wanted and owns_project
        and contractor_id || '' = owner limit most;
  elsif kind = 'lead' then
    return query select t.project_id from leads t
      where find_words(contractor_id, project_id, first_name || ' ' || last_name) @@ wanted
        and contractor_id || '' = owner limit most;
  else
    return query select t.id from projects t
      where find_words(contractor_id, id, name || ' ' || coalesce(address, '')) @@ wanted
        and contractor_id || '' = owner limit most;
  end if;
end $$;
