-- Of some ids, those whose words match; reads these rows alone, as no index has the expression.
create or replace function find_among(kind text, ids text[], wanted tsquery, most int) returns setof text language plpgsql
set enable_seqscan = off as $$
begin
  if kind = 'customer' then
    return query select t.id from users t where t.id = any(ids)
      and (find_words(contractor_id, id, name || ' ' || coalesce(address, '')) || ''::tsvector) @@ wanted limit most;
  elsif kind = 'lead' then
    return query select t.project_id from leads t where t.project_id = any(ids)
      and (find_words(contractor_id, project_id, first_name || ' ' || last_name) || ''::tsvector) @@ wanted limit most;
  else
    return query select t.id from projects t where t.id = any(ids)
      and (find_words(contractor_id, id, name || ' ' || coalesce(address, '')) || ''::tsvector) @@ wanted limit most;
  end if;
end $$;
