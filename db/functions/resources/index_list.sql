-- Gives a resource's table the two indexes without which it cannot be read and loaded, where its schema has not declared them: the walk in
-- order of `updated_at`, and one record per reference of the source.
create or replace function index_list(listed regclass, shown text) returns void language plpgsql as $$
declare
  listed_name name := (select relname from pg_class where oid = listed);
begin
  if walk_of(listed) is null then
    execute format('create index %I on %s (contractor_id collate "C", updated_at, id) %s', listed_name || '_walk', listed,
      case when shown <> 'true' then 'where ' || replace(shown, 'row.', '') else '' end);
  end if;
  if not exists (select from pg_index x where x.indrelid = listed and x.indisunique
      and pg_get_indexdef(x.indexrelid) like '%(contractor_id, source_reference)') then
    execute format('create unique index %I on %s (contractor_id, source_reference)', listed_name || '_source', listed);
  end if;
end $$;
