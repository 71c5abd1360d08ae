-- What the role inside the fence lacks in this database: a right on a table behind it.
create or replace function unfenced_tables() returns setof regclass language sql stable as $$
  select c.oid::regclass from pg_policy p join pg_class c on c.oid = p.polrelid
  where p.polname = 'one_contractor' and c.relnamespace = current_schema()::regnamespace
    and not has_table_privilege('plumbline_tenant', c.oid, 'delete')
$$;
