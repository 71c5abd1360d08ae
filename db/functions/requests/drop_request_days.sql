-- Drops the partitions of the request log that end at an id or before it. Returns how many. Waits at most two seconds for statements that read
-- the log, such as a backup; the next run tries again.
create or replace function drop_request_days(before uuid) returns int language plpgsql set lock_timeout = '2s' as $$
declare
  part regclass;
  dropped int := 0;
begin
  perform pg_advisory_xact_lock(hashtextextended('request_log days', 0));
  for part in select * from expired_request_days(before) loop
    execute format('drop table %s', part);
    dropped := dropped + 1;
  end loop;
  return dropped;
end $$;
