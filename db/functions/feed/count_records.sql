-- Counts the next `most` records of a table that were there before its feed; true once all are. The records and the queued changes are
-- of one snapshot: a change that is queued in it is part of what is counted here, and is marked so that it does not count again. A
-- numbering holds the row of `change_base` in share mode, so it sees either none or all of that.
create or replace function count_records(of_resource text, most int) returns boolean language plpgsql
set enable_bitmapscan = off as $$
declare
  base change_base;
  listed regclass;
  last text;
begin
  select * into base from change_base where resource = of_resource for update;
  if not found then return true; end if;
  listed := listed_table(of_resource);
  execute format($q$
    with slice as materialized (
      select id, contractor_id, updated_at, %2$s as shown from %1$s t where id > $2 order by id limit $3
    ), reached as materialized (
      select max(id) filter (where n = $3) as id from (select id, row_number() over (order by id) as n from slice) s
    ), marked as (
      update change_queue q set counted = true from reached r
      where q.resource = $1 and q.record_id > $2 and (r.id is null or q.record_id <= r.id)
    ), summed as (
      insert into change_totals (contractor_id, resource, count, checksum)
      select contractor_id, $1, count(*), wrap64(sum(change_hash(id, updated_at))) from slice where shown
      group by contractor_id order by contractor_id
      on conflict (contractor_id, resource) do update
        set count = change_totals.count + excluded.count, checksum = wrap64(change_totals.checksum::numeric + excluded.checksum)
    )
    select id from reached $q$, listed,
    shown_rows(listed))
    into last using of_resource, base.reached, most;
  if last is null then delete from change_base where resource = of_resource;
  else update change_base set reached = last where resource = of_resource; end if;
  return last is null;
end $$;
