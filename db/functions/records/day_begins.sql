-- When a contractor's day begins.
create or replace function day_begins(day date, zone text) returns timestamptz language sql immutable parallel safe as $$
  select day::timestamp at time zone zone
$$;
