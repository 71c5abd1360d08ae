-- Removes the documents of records: [{owner, reference}].
create or replace function remove_record_documents(for_type text, records jsonb) returns void language plpgsql
set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
declare
  gone bigint[];
begin
  perform 1 from search_shelves
    where type = for_type and owner in (select r.owner from jsonb_to_recordset(records) as r(owner text))
    order by id for no key update;
  select array_agg(d.number) into gone from jsonb_to_recordset(records) as r(owner text, reference text)
    cross join lateral (select id from search_shelves where owner = r.owner and type = for_type limit 1) s
    cross join lateral (select number from documents where shelf_id = s.id and reference = r.reference limit 1) d;
  if gone is null then return; end if;
  delete from document_chunks where document = any(gone);
  delete from documents where number = any(gone);
end $$;
