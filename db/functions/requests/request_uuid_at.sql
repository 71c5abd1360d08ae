-- Sorts before the id of every request that began on a UTC day or later: ids are UUIDs that begin with their time in milliseconds.
create or replace function request_uuid_at(day date) returns uuid language sql immutable strict parallel safe as $$
  select (lpad(to_hex((day - date '1970-01-01')::bigint * 86400000), 12, '0') || '70008000000000000000')::uuid
$$;
