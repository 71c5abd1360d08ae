-- Gives committed changes of a contractor their positions, at most `most` of them, the longest queued first; how many it was. One at a
-- time for a contractor: the head is locked until the positions can be seen, so none is ever seen before a lower one. A change that
-- is committed late gets a later position. The order of one record's changes is that of the queue, because the second writer of a
-- record waits for the first. Each statement sees what was committed before it began, so this must run at `read committed`.
--
-- What is taken is a range of the index. By a list of ids, the planner, which knows the queue as nearly empty, would read all of the
-- contractor's queue and compare each change with the list. What is joined to each change is read once.
create or replace function number_changes(of_contractor text, most int) returns int language plpgsql
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  head change_heads;
  taken int;
begin
  if not exists (select from change_queue where contractor_id = of_contractor) then return 0; end if;
  insert into change_heads (contractor_id) values (of_contractor) on conflict do nothing;
  select * into head from change_heads where contractor_id = of_contractor for update;
  -- Before anything of the queue is read: see count_records.
  perform 1 from change_base for share;
  head.numbered_at := greatest(clock_timestamp(), head.numbered_at + interval '1 microsecond');
  with gone as (
    delete from change_queue where contractor_id = of_contractor
      and id <= (select max(id) from (select id from change_queue where contractor_id = of_contractor order by id limit most) first)
    returning *
  ), base as materialized (
    select resource, reached from change_base
  ), totals as materialized (
    select resource, count, checksum from change_totals where contractor_id = of_contractor
  ), weighed as (
    select g.*, b.resource is null as complete, row_number() over (order by g.id) as n,
      case when w.counts then (g.version is not null)::int - (g.was is not null)::int else 0 end as more,
      case when w.counts then coalesce(change_hash(g.record_id, g.version), 0)::numeric
        - case when g.was is null then 0 else change_hash(g.record_id, g.was) end else 0 end as weight
    from gone g left join base b on b.resource = g.resource
      cross join lateral (select not g.counted and (b.resource is null or g.record_id <= b.reached) as counts) w
  ), running as (
    select w.*, coalesce(sum(more) over earlier, 0) as more_before, coalesce(sum(weight) over earlier, 0) as weight_before
    from weighed w window earlier as (partition by resource order by id rows between unbounded preceding and 1 preceding)
  ), placed as (
    insert into changes (contractor_id, resource, position, record_id, change, version, numbered_at, count_before, sum_before)
    select of_contractor, r.resource, head.position + r.n, r.record_id, r.change, r.version, head.numbered_at,
      case when r.complete then coalesce(t.count, 0) + r.more_before end,
      case when r.complete then wrap64(coalesce(t.checksum, 0) + r.weight_before) end
    from running r left join totals t on t.resource = r.resource
  ), summed as (
    insert into change_totals (contractor_id, resource, count, checksum)
    select of_contractor, resource, sum(more), wrap64(sum(weight)) from weighed group by resource order by resource
    on conflict (contractor_id, resource) do update
      set count = change_totals.count + excluded.count, checksum = wrap64(change_totals.checksum::numeric + excluded.checksum)
  )
  select count(*) into taken from gone;
  -- Another may have numbered all of it while this waited; the head's moment is then still that of its last change.
  if taken > 0 then
    update change_heads set position = position + taken, numbered_at = head.numbered_at where contractor_id = of_contractor;
  end if;
  return taken;
end $$;
