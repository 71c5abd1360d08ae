-- A project's document with the notes that stand on it, under the type it has; under the other it is removed, and under both when the project is gone.
-- `|| ''` leaves the planner the primary key alone.
create or replace function index_projects(wanted jsonb) returns void language plpgsql
set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
declare
  kind record;
begin
  for kind in
    select t.type, jsonb_agg(project_document(p) || jsonb_build_object('text', concat_ws(e'\n', project_document(p) ->> 'text', n.notes)) order by p.id) filter (where p.id is not null and search_type(p) = t.type) as there,
      jsonb_agg(jsonb_build_object('owner', w.owner, 'reference', w.reference))
        filter (where p.id is null or search_type(p) <> t.type) as gone
    from jsonb_to_recordset(wanted) as w(owner text, reference text)
      cross join (values ('lead'), ('project')) t(type)
      left join projects p on p.id = w.reference and p.contractor_id || '' = w.owner
      cross join lateral (select string_agg(e.text, e'\n' order by e.created_at, e.id) as notes from project_entries e
        where e.contractor_id = p.contractor_id and e.project_id = p.id and e.undone_at is null) n
    group by t.type order by t.type
  loop
    if kind.gone is not null then perform remove_record_documents(kind.type, kind.gone); end if;
    if kind.there is not null then perform put_record_documents(kind.type, kind.there); end if;
  end loop;
end $$;
