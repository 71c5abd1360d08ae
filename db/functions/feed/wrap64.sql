-- A sum modulo 2^64, as a signed number.
create or replace function wrap64(n numeric) returns bigint language sql immutable as $$
  select (mod(mod(n, 18446744073709551616) + 27670116110564327424, 18446744073709551616) - 9223372036854775808)::bigint
$$;
