-- The moment that a row of a contractor's list gets now. What it must go behind is looked up once in a transaction for each list.
create or replace function next_moment(listed name, of_contractor text) returns timestamptz language plpgsql as $$
declare
  place text := 'clock.' || listed;
  known text := current_setting(place, true);
  floor timestamptz;
begin
  if starts_with(known, of_contractor || ' ') then
    floor := substr(known, length(of_contractor) + 2);
  else
    floor := latest_moment(listed, of_contractor);
    perform set_config(place, of_contractor || ' ' || floor, true);
  end if;
  return greatest(date_trunc('milliseconds', clock_timestamp()), floor + interval '1 millisecond');
end $$;
