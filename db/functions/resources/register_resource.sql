-- Makes the rows of a table a resource: gives the table everything that the database does for each resource. The migration that creates
-- the table calls it once; calling it again puts back what is missing and replaces the rest.
--
-- `resource` is the name in lib/core/resource-names.ts; `listed` a table with id, contractor_id, source_reference, created_at, updated_at.
-- `shown` says which rows clients see, as a condition on `row`; left out, all. `by_row` is a trigger function that queues changed and deleted
-- rows one by one, for a table where most statements change nothing. `feed_settings` are those of the function that queues changed rows.
-- `writer_stamps` lets a statement that sets `app.stamped` give its new rows their moment.
create or replace function register_resource(
  resource text, listed regclass, shown text default 'true', by_row name default null,
  feed_settings text default 'set enable_nestloop = off', writer_stamps boolean default false)
returns void language plpgsql as $$
declare
  hidden name;
begin
  -- Before the fence: its policy names one of these columns.
  for hidden in select a.attname from pg_attribute a where a.attrelid = listed and coalesce(a.attstattarget, -1) <> 0
    and a.attname in ('contractor_id', 'customer_id', 'project_id', 'status', 'updated_at', 'turns_at') and not a.attisdropped
  loop
    perform hide_from_planner(listed, hidden);
  end loop;
  perform fence_table(listed);
  perform index_list(listed, shown);
  perform stamp_list(listed, writer_stamps);
  perform feed_changes(resource, listed, shown, by_row, feed_settings);
  perform journal_loads(listed);
end $$;
