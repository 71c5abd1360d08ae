-- Adds or changes the documents of records: [{id, owner, reference, title, link, untrusted, text}]. One that is the same is left.
-- Joins other than by index are off, as in index_chunks.
create or replace function put_record_documents(for_type text, records jsonb) returns void language plpgsql
set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
declare
  written bigint[];
  replaced bigint[];
begin
  insert into search_shelves (owner, type)
    select distinct r.owner, for_type from jsonb_to_recordset(records) as r(owner text)
    where not exists (select 1 from search_shelves s where s.owner = r.owner and s.type = for_type)
    order by r.owner on conflict do nothing;
  perform 1 from search_shelves
    where type = for_type and owner in (select r.owner from jsonb_to_recordset(records) as r(owner text))
    order by id for no key update;
  with put as (
    insert into documents as d (id, shelf_id, reference, title, link, untrusted, digest)
    select r.id, s.id, r.reference, r.title, r.link, r.untrusted,
      encode(sha256(convert_to(jsonb_build_array(r.title, r.link, r.untrusted, r.text)::text, 'UTF8')), 'hex')
    from jsonb_to_recordset(records)
        as r(id text, owner text, reference text, title text, link text, untrusted boolean, text text)
      cross join lateral (select id from search_shelves where owner = r.owner and type = for_type limit 1) s
    on conflict (shelf_id, reference) do update set title = excluded.title, link = excluded.link,
      untrusted = excluded.untrusted, digest = excluded.digest
    where d.digest <> excluded.digest
    returning number, xmax <> 0 as changed
  )
  select array_agg(number), array_agg(number) filter (where changed) into written, replaced from put;
  if replaced is not null then
    delete from document_chunks where document = any(replaced);
  end if;
  if written is not null then
    insert into document_chunks (document, ordinal, shelf_id, title, heading, text)
      select d.number, p.ordinal, d.shelf_id, d.title, '', p.piece
      from jsonb_to_recordset(records) as r(owner text, reference text, text text)
        cross join lateral (select id from search_shelves where owner = r.owner and type = for_type limit 1) s
        cross join lateral (select * from documents where shelf_id = s.id and reference = r.reference limit 1) d
        cross join lateral record_pieces(r.text) p
      where d.number = any(written);
  end if;
end $$;
