-- The index by which a resource's list is walked. Its collation tells it from others that begin with the contractor.
create or replace function walk_of(listed regclass) returns regclass language sql stable as $$
  select x.indexrelid::regclass from pg_index x
  where x.indrelid = listed and pg_get_indexdef(x.indexrelid) like '%(contractor_id COLLATE "C", updated_at, id)%'
$$;
