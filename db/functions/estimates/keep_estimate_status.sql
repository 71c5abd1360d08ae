-- Keeps the status, and the next moment at which the clock alone will change it (null when it never will).
create or replace function keep_estimate_status() returns trigger language plpgsql as $$
declare
  zone text := contractor_zone(new.contractor_id);
begin
  new.status := estimate_status_on(new.stated_status, new.valid_until, zone, clock_timestamp());
  new.turns_at := case new.status when 'sent' then day_begins(day_in(new.valid_until, zone) + 1, zone) end;
  return new;
end $$;
