-- The status an estimate has at a moment, by the contractor's days (`estimate_status_at` stays for a version that serves meanwhile).
create or replace function estimate_status_on(stated text, valid_until timestamptz, zone text, at timestamptz) returns text language sql immutable as $$
  select case when stated = 'sent' and at >= day_begins(day_in(valid_until, zone) + 1, zone) then 'expired' else stated end
$$;
