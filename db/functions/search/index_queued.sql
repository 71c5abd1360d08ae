-- Writes the documents of at most so many queued changes of one owner, oldest first. Returns how many it took. One at a time for an owner: each
-- reads its records after the one before has written them. What is taken is deleted by its keys.
create or replace function index_queued(of_owner text, most int) returns int language plpgsql
set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
declare
  taken int;
  batch jsonb;
  work record;
begin
  if not exists (select 1 from search_queue where owner = of_owner) then return 0; end if;
  perform pg_advisory_xact_lock(hashtextextended('search_queue ' || of_owner, 0));
  with gone as (
    delete from search_queue
    where owner = of_owner and id = any(array(select id from search_queue where owner = of_owner order by id limit most))
    returning owner, kind, reference
  )
  select count(*), jsonb_agg(distinct jsonb_build_object('owner', owner, 'kind', kind, 'reference', reference))
    into taken, batch from gone;
  for work in
    select b.kind, jsonb_agg(jsonb_build_object('owner', b.owner, 'reference', b.reference, 'item', b.reference)) as records
    from jsonb_to_recordset(batch) as b(owner text, kind text, reference text) group by b.kind order by b.kind
  loop
    case work.kind
      when 'project' then perform index_projects(work.records);
      when 'material' then perform index_items(work.records);
      else perform index_permits(work.records);
    end case;
  end loop;
  return taken;
end $$;
