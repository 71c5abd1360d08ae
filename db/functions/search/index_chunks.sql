-- Puts new chunks into the index. All but joins by index is off: a database that was filled just now has no statistics, and
-- Postgres would rather read whole tables.
create or replace function index_chunks() returns trigger language plpgsql
set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off set enable_material = off as $$
begin
  perform 1 from search_shelves where id in (select shelf_id from new_rows) order by id for no key update;
  -- Not "on conflict" alone: that would draw a number for every word that is there already.
  insert into search_terms (shelf_id, term, chunks)
    select distinct n.shelf_id, l.lexeme, 0 from new_rows n cross join lateral unnest(n.lexemes) l
    where length(l.lexeme) <= 64
      and (select t.id from search_terms t where t.shelf_id = n.shelf_id and t.term = l.lexeme limit 1) is null;
  with counted as materialized (
    select n.document, n.ordinal, n.shelf_id, l.lexeme as term, search_count(l.weights) as count,
      (sum(search_count(l.weights)) over (partition by n.document, n.ordinal))::int as length
    from new_rows n cross join lateral unnest(n.lexemes) l where length(l.lexeme) <= 64
  ), listed as materialized (
    select c.*, t.id as term_id from counted c cross join lateral (
      select id from search_terms where shelf_id = c.shelf_id and term = c.term limit 1) t
  ), forward as (
    insert into chunk_terms (document, ordinal, shelf_id, length, terms, counts)
    select document, ordinal, shelf_id, length, array_agg(term_id order by term_id), array_agg(count order by term_id)
    from listed group by document, ordinal, shelf_id, length returning shelf_id, length
  ), inverted as (
    insert into search_postings (document, term_id, ordinal, impact, count, length)
    select document, term_id, ordinal, search_impact(count, length), count, length from listed
  ), in_terms as (
    update search_terms t set chunks = t.chunks + n.n
    from (select term_id, count(*) as n from listed group by term_id) n where t.id = n.term_id
  )
  update search_shelves s set words = s.words + f.words
  from (select shelf_id, sum(length) as words from forward group by shelf_id) f where s.id = f.shelf_id;
  update search_shelves s set chunks = s.chunks + n.n
  from (select shelf_id, count(*) as n from new_rows group by shelf_id) n where s.id = n.shelf_id;
  -- Words as they were written, of which a typing error can be mended.
  insert into search_words (shelf_id, word, term_id)
    select w.shelf_id, w.word, t.id
    from (select distinct n.shelf_id, l.lexeme as word from new_rows n cross join lateral
        unnest(to_tsvector('pg_catalog.simple', search_text(n.title || ' ' || n.heading || ' ' || n.text))) l
      where length(l.lexeme) between 4 and 24 and l.lexeme !~ '[0-9]'
        and (select k.word from search_words k where k.shelf_id = n.shelf_id and k.word = l.lexeme limit 1) is null) w
    cross join lateral (select id from search_terms
      where shelf_id = w.shelf_id and term = (ts_lexize('pg_catalog.english_stem', w.word))[1] limit 1) t
    on conflict do nothing;
  return null;
end $$;
