-- The documents of permits.
create or replace function index_permits(wanted jsonb) returns void language plpgsql
set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
declare
  there jsonb;
  gone jsonb;
begin
  select jsonb_agg(permit_document(p) order by p.id) filter (where p.id is not null),
      jsonb_agg(jsonb_build_object('owner', w.owner, 'reference', w.reference)) filter (where p.id is null)
    into there, gone
    from jsonb_to_recordset(wanted) as w(owner text, reference text) left join permits p on p.id = w.reference;
  if there is not null then perform put_record_documents('permit', there); end if;
  if gone is not null then perform remove_record_documents('permit', gone); end if;
end $$;
