-- A contractor's time zone, looked up once in a transaction.
create or replace function contractor_zone(of_contractor text) returns text language plpgsql as $$
declare
  known text := current_setting('clock.zone', true);
  found text;
begin
  if starts_with(known, of_contractor || ' ') then return substr(known, length(of_contractor) + 2); end if;
  select timezone into found from contractors where id = of_contractor;
  found := coalesce(found, 'UTC');
  perform set_config('clock.zone', of_contractor || ' ' || found, true);
  return found;
end $$;
