-- The table of a resource: the one that feeds its changes.
create or replace function listed_table(resource text) returns regclass language sql stable as $$
  select t.tgrelid::regclass from pg_trigger t where t.tgname = 'feed_created'
    and t.tgfoid = to_regproc('queue_created_' || replace(resource, '-', '_'))
$$;
