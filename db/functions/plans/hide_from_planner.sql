-- Plans that do not hang on statistics. How rows are spread over contractors (and over what a contractor's lists are filtered by) is known
-- for those who are there, and wrong for the next: the planner takes a contractor it has not counted for one without rows, finds every
-- index that leads with the contractor equally good, and reads all that is his for each row it looks up. So it is told nothing of these
-- columns. It then takes each value for one of two hundred, always, and the index that names the most columns wins.
--
-- Keeps what a column holds from the planner, from now on and what was gathered before: a change of type forgets that, the same type costs
-- no rewrite. Not for a column that a policy or the condition of a trigger names.
create or replace function hide_from_planner(of_table regclass, hidden name) returns void language plpgsql as $$
declare
  its_type text;
begin
  select format_type(atttypid, atttypmod) into its_type from pg_attribute where attrelid = of_table and attname = hidden;
  execute format('alter table %s alter column %I set statistics 0', of_table, hidden);
  if exists (select from pg_stats s join pg_class c on c.relname = s.tablename and c.relnamespace = s.schemaname::regnamespace
      where c.oid = of_table and s.attname = hidden) then
    execute format('alter table %s alter column %I type %s', of_table, hidden, its_type);
  end if;
end $$;
