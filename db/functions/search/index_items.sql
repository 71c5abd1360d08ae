-- Items of a price book as documents, each with its newest prices; an item whose prices are all gone leaves the index.
create or replace function index_items(items jsonb) returns void language plpgsql
set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
declare
  there jsonb;
  gone jsonb;
begin
  select jsonb_agg(jsonb_build_object('id', 'doc_' || substr(p.first_id, 5), 'owner', i.owner, 'reference', i.item,
        'title', left(p.title, 500), 'link', null, 'untrusted', false, 'text', p.text)) filter (where p.title is not null),
      jsonb_agg(jsonb_build_object('owner', i.owner, 'reference', i.item)) filter (where p.title is null)
    into there, gone
    from jsonb_to_recordset(items) as i(owner text, item text) cross join lateral (
      select min(m.id) as first_id, (array_agg(m.name))[1] as title,
        concat_ws(e'\n', i.item || coalesce(', ' || max(m.trade), ''), string_agg(concat_ws(', ', m.unit_cost::text || ' ' || m.currency || ' per ' || m.unit,
          m.supplier, m.region, m.observed_on::text), e'\n')) as text
      from (
        select * from material_prices where contractor_id = i.owner and item_key = i.item
        order by observed_on desc, id desc limit 20) m) p;
  if there is not null then perform put_record_documents('material', there); end if;
  if gone is not null then perform remove_record_documents('material', gone); end if;
end $$;
