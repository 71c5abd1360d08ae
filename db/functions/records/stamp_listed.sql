-- Gives a new row of a contractor's list its moment (`next_moment`). A row after the first of its list in a transaction calls no other function.
create or replace function stamp_listed() returns trigger language plpgsql as $$
declare
  known text := current_setting('clock.' || tg_table_name, true);
begin
  new.updated_at := case when starts_with(known, new.contractor_id || ' ')
    then greatest(date_trunc('milliseconds', clock_timestamp()),
      substr(known, length(new.contractor_id) + 2)::timestamptz + interval '1 millisecond')
    else next_moment(tg_table_name, new.contractor_id) end;
  return new;
end $$;
