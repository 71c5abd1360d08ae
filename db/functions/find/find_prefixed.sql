-- Words, each with a prefix.
create or replace function find_prefixed(prefix text, words text) returns text language sql immutable parallel safe as $$
  select prefix || ':' || replace(words, ' ', ' ' || prefix || ':')
$$;
