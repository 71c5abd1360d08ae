-- A word's place stays known: A in the title, B in a heading, D in the text.
create or replace function search_lexemes(title text, heading text, body text) returns tsvector
language sql immutable strict parallel safe as $$
  select setweight(to_tsvector('pg_catalog.english', public.search_text(title)), 'A')
    || setweight(to_tsvector('pg_catalog.english', public.search_text(heading)), 'B')
    || to_tsvector('pg_catalog.english', public.search_text(body))
$$;
