-- What a record adds to the checksum of its resource: the first eight bytes of SHA-256 of `<id> <updatedAt>`, as a signed number.
create or replace function change_hash(id text, version timestamptz) returns bigint language sql stable as $$
  select ('x' || encode(substr(sha256(convert_to(
    id || ' ' || to_char(version at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'UTF8')), 1, 8), 'hex'))::bit(64)::bigint
$$;
