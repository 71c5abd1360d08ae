-- Which rows of a resource's table clients see, as a condition: those that are in the index of its list.
create or replace function shown_rows(listed regclass) returns text language sql stable as $$
  select coalesce(pg_get_expr(x.indpred, x.indrelid), 'true') from pg_index x where x.indexrelid = walk_of(listed)
$$;
