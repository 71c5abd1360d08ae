-- What is searched is the same for a document and for a query: lower case, no accents, and signs that Postgres's parser would take
-- for parts of paths, hosts and tags ("ice/water", "half-inch", "done.Next") parted into words. A point between digits stays.
create or replace function search_text(given text) returns text language sql immutable strict parallel safe as $$
  select regexp_replace(
    regexp_replace(normalize(lower(given), NFKD), '[\u0300-\u036f]+', '', 'g'),
    '[-/\\_@#&=+~^|<>:*"]|\.(?![0-9])', ' ', 'g')
$$;
