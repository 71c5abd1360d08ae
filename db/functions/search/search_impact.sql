-- BM25's share of a posting for a shelf of middling length (k1 1.2, b 0.75, 100 words): orders postings, and is never shown.
create or replace function search_impact(count int, length int) returns smallint language sql immutable strict parallel safe as $$
  select round(10000 * count::float8 / (count + 1.2 * (0.25 + 0.75 * length / 100::float8)))::smallint
$$;
