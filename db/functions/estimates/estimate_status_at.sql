-- The status an estimate has at a moment: what the office said last, but for a sent one whose last valid UTC day is over.
create or replace function estimate_status_at(stated text, valid_until timestamptz, at timestamptz) returns text language sql immutable as $$
  select case
    when stated = 'sent' and at >= date_trunc('day', valid_until at time zone 'UTC') at time zone 'UTC' + interval '1 day' then 'expired'
    else stated
  end
$$;
