-- The contractor's day of a moment. A file's plain day is stored as midnight UTC and stays that day everywhere.
create or replace function day_in(at timestamptz, zone text) returns date language sql immutable parallel safe as $$
  select case when (at at time zone 'UTC')::time = '00:00' then (at at time zone 'UTC')::date else (at at time zone zone)::date end
$$;
