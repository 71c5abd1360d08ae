-- Adds the partitions of the request log for a number of UTC days, each unless it is there. Returns how many it added. A day that already has
-- rows in the default partition stays in it. Attaching lets others write meanwhile, where `create table … partition of` would not.
create or replace function add_request_days(first_day date, days int) returns int language plpgsql set lock_timeout = '2s' as $$
declare
  of_day date;
  part text;
  added int := 0;
begin
  perform pg_advisory_xact_lock(hashtextextended('request_log days', 0));
  for n in 0 .. days - 1 loop
    of_day := first_day + n;
    part := 'request_log_' || to_char(of_day, 'YYYYMMDD');
    continue when to_regclass(part) is not null;
    begin
      execute format('create table %I (like request_log including defaults)', part);
      perform hide_from_planner(part::regclass, 'contractor_id');
      perform hide_from_planner(part::regclass, 'status');
      execute format('alter table request_log attach partition %I for values from (%L) to (%L)',
        part, request_uuid_at(of_day), request_uuid_at(of_day + 1));
      added := added + 1;
    -- Rows of that day are in the default partition, or in the one of before there were days.
    exception when check_violation or invalid_object_definition then null;
    end;
  end loop;
  return added;
end $$;
