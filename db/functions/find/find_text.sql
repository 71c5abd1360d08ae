-- Words as people type them: lower case, without accents and apostrophes, parted by every other sign. lib/knowledge/find/words.ts does the same.
create or replace function find_text(given text) returns text language sql immutable parallel safe as $$
  select btrim(regexp_replace(lower(regexp_replace(normalize(given, NFKD), '[\u0300-\u036f''\u2019]+', '', 'g')),
    '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u2000-\u206f]+', ' ', 'g'))
$$;
