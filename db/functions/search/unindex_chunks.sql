-- Takes chunks out of the index, and with the last chunk of a word the word.
create or replace function unindex_chunks() returns trigger language plpgsql
set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off set enable_material = off as $$
declare
  dead int[];
begin
  perform 1 from search_shelves where id in (select shelf_id from old_rows) order by id for no key update;
  with gone as materialized (
    delete from chunk_terms f using old_rows o where f.document = o.document and f.ordinal = o.ordinal returning f.*
  ), listed as materialized (
    select g.document, g.ordinal, g.length, u.term_id, u.count
    from gone g cross join lateral unnest(g.terms, g.counts) as u(term_id, count)
  ), inverted as (
    delete from search_postings p using listed l
    where p.term_id = l.term_id and p.impact = search_impact(l.count, l.length)
      and p.document = l.document and p.ordinal = l.ordinal
  ), in_shelves as (
    update search_shelves s set words = s.words - f.words
    from (select shelf_id, sum(length) as words from gone group by shelf_id) f where s.id = f.shelf_id
  ), in_terms as (
    update search_terms t set chunks = t.chunks - n.n
    from (select term_id, count(*) as n from listed group by term_id) n where t.id = n.term_id returning t.id, t.chunks
  )
  select array_agg(id) into dead from in_terms where chunks = 0;
  update search_shelves s set chunks = s.chunks - o.n
  from (select shelf_id, count(*) as n from old_rows group by shelf_id) o where s.id = o.shelf_id;
  delete from search_words where term_id = any(dead);
  delete from search_terms where id = any(dead);
  return null;
end $$;
