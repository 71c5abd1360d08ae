-- For a version that serves meanwhile and knows no samples: ids that match the first of several queries, and of the next where those are too few.
create or replace function find_by_words(kind text, owner text, queries text[], most int) returns setof text language plpgsql as $$
declare
  wanted tsquery;
  here int;
  found_so_far int := 0;
begin
  foreach wanted in array queries::tsquery[] loop
    return query select find_page(kind, owner, wanted, most);
    get diagnostics here = row_count;
    found_so_far := found_so_far + here;
    exit when found_so_far >= most;
  end loop;
end $$;
