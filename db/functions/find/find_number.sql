-- What people quote of a number such as INV-2026-0042: its last digits, without the zeros before them. A number without digits is itself.
create or replace function find_number(given text) returns text language sql immutable parallel safe as $$
  select left(coalesce(nullif(ltrim(substring(given from '([0-9]+)[^0-9]*$'), '0'), ''), lower(given)), 60)
$$;
