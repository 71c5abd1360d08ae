-- Which of some words a contractor's customers, projects or leads have, in the order given.
create or replace function find_known_words(owner text, words text[]) returns setof text language plpgsql
set enable_seqscan = off set enable_indexscan = off set gin_fuzzy_search_limit = 100 as $$
declare
  word text;
  wanted tsquery;
begin
  foreach word in array words loop
    wanted := quote_literal(owner || ':' || word)::tsquery;
    if exists (select from users
        where find_words(contractor_id, id, name || ' ' || coalesce(address, '')) @@ wanted and owns_project)
      or exists (select from projects
        where find_words(contractor_id, id, name || ' ' || coalesce(address, '')) @@ wanted)
      or exists (select from leads
        where find_words(contractor_id, project_id, first_name || ' ' || last_name) @@ wanted)
    then return next word; end if;
  end loop;
end $$;
