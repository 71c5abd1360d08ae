-- The partitions of the request log that end at an id or before it: all of their requests are older.
create or replace function expired_request_days(before uuid) returns setof regclass language sql stable as $$
  select c.oid::regclass from pg_inherits i join pg_class c on c.oid = i.inhrelid
  where i.inhparent = 'request_log'::regclass
    and substring(pg_get_expr(c.relpartbound, c.oid) from $re$ TO \('([0-9a-f-]+)'\)$re$)::uuid <= before
$$;
