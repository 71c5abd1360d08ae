CREATE TABLE "change_base" (
	"resource" text PRIMARY KEY NOT NULL,
	"reached" text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE TABLE "change_heads" (
	"contractor_id" text PRIMARY KEY NOT NULL,
	"position" bigint DEFAULT 0 NOT NULL,
	"numbered_at" timestamp with time zone DEFAULT '1970-01-01 00:00:00+00' NOT NULL,
	"forgotten_to" bigint DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "change_queue" (
	"contractor_id" text NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "change_queue_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"resource" text NOT NULL,
	"record_id" text NOT NULL,
	"change" text NOT NULL,
	"version" timestamp (3) with time zone,
	"was" timestamp (3) with time zone,
	"counted" boolean DEFAULT false NOT NULL,
	CONSTRAINT "change_queue_contractor_id_id_pk" PRIMARY KEY("contractor_id","id")
);
--> statement-breakpoint
CREATE TABLE "change_totals" (
	"contractor_id" text NOT NULL,
	"resource" text NOT NULL,
	"count" bigint NOT NULL,
	"checksum" bigint NOT NULL,
	CONSTRAINT "change_totals_contractor_id_resource_pk" PRIMARY KEY("contractor_id","resource")
);
--> statement-breakpoint
CREATE TABLE "changes" (
	"contractor_id" text NOT NULL,
	"position" bigint NOT NULL,
	"resource" text NOT NULL,
	"record_id" text NOT NULL,
	"change" text NOT NULL,
	"version" timestamp (3) with time zone,
	"numbered_at" timestamp with time zone NOT NULL,
	"count_before" bigint,
	"sum_before" bigint,
	CONSTRAINT "changes_contractor_id_resource_position_pk" PRIMARY KEY("contractor_id","resource","position")
);
--> statement-breakpoint
CREATE INDEX "changes_numbered" ON "changes" USING btree ("numbered_at");--> statement-breakpoint

alter table change_queue add constraint change_queue_change check (change in ('created', 'updated', 'deleted', 'turned'));--> statement-breakpoint
alter table changes add constraint changes_change check (change in ('created', 'updated', 'deleted', 'turned'));--> statement-breakpoint

-- Behind the second fence. Every start grants what is missing; a version that serves meanwhile must be able to write behind it already.
select hide_from_planner(t::regclass, 'contractor_id') from unnest(array['change_queue', 'changes', 'change_heads', 'change_totals']) t;--> statement-breakpoint
select fence_table(t::regclass) from unnest(array['change_queue', 'changes', 'change_heads', 'change_totals']) t;--> statement-breakpoint
do $$ begin
  if to_regrole('plumbline_tenant') is not null then
    grant select, insert, update, delete on change_queue, changes, change_heads, change_totals to plumbline_tenant;
  end if;
end $$;--> statement-breakpoint

-- Queues what a statement changed of a listed table, in its transaction. A row is in the feed while `shown` holds for it. Without nested
-- loops, because a plan that was made for one row is kept for thousands.
do $do$
declare
  feed record;
begin
  for feed in select * from (values
    ('projects', 'projects', 'true'),
    ('analytics_invoice_records', 'invoices', 'true'),
    ('analytics_revenue_transactions', 'payments', '%s.type = ''payment_received'''),
    ('estimates', 'estimates', 'true')) t(listed, resource, shown)
  loop
    execute format($f$
      create function queue_created_%1$s() returns trigger language plpgsql as $body$
      begin
        insert into change_queue (contractor_id, resource, record_id, change, version)
          select n.contractor_id, %1$L, n.id, 'created', n.updated_at from new_rows n where %2$s;
        return null;
      end $body$ $f$, feed.resource, format(feed.shown, 'n'));
    execute format($f$
      create function queue_updated_%1$s() returns trigger language plpgsql set enable_nestloop = off as $body$
      begin
        insert into change_queue (contractor_id, resource, record_id, change, was, version)
          select n.contractor_id, %1$L, n.id,
            case when not (%3$s) then 'created' when not (%2$s) then 'deleted' %4$s else 'updated' end,
            case when %3$s then o.updated_at end, case when %2$s then n.updated_at end
          from new_rows n join old_rows o on o.id = n.id
          where n.updated_at <> o.updated_at and (%2$s or %3$s);
        return null;
      end $body$ $f$, feed.resource, format(feed.shown, 'n'), format(feed.shown, 'o'),
      -- Only the clock changes a status and nothing else.
      case when feed.resource in ('invoices', 'estimates') then $turned$when n.status <> o.status
              and to_jsonb(n) - array['status', 'turns_at', 'updated_at'] = to_jsonb(o) - array['status', 'turns_at', 'updated_at']
              then 'turned'$turned$ else '' end);
    execute format($f$
      create function queue_deleted_%1$s() returns trigger language plpgsql as $body$
      begin
        insert into change_queue (contractor_id, resource, record_id, change, was)
          select o.contractor_id, %1$L, o.id, 'deleted', o.updated_at from old_rows o where %2$s;
        return null;
      end $body$ $f$, feed.resource, format(feed.shown, 'o'));
    execute format($f$create trigger feed_created after insert on %I
      referencing new table as new_rows for each statement execute function queue_created_%s()$f$, feed.listed, feed.resource);
    execute format($f$create trigger feed_updated after update on %I
      referencing old table as old_rows new table as new_rows for each statement execute function queue_updated_%s()$f$, feed.listed, feed.resource);
    execute format($f$create trigger feed_deleted after delete on %I
      referencing old table as old_rows for each statement execute function queue_deleted_%s()$f$, feed.listed, feed.resource);
  end loop;
end $do$;--> statement-breakpoint

-- A home-owner is in the feed while a project is theirs. Row by row: each new project asks to mark its owner, and most are marked already.
create function queue_customer() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into change_queue (contractor_id, resource, record_id, change, version)
      values (new.contractor_id, 'customers', new.id, 'created', new.updated_at);
  elsif tg_op = 'DELETE' then
    insert into change_queue (contractor_id, resource, record_id, change, was)
      values (old.contractor_id, 'customers', old.id, 'deleted', old.updated_at);
  else
    insert into change_queue (contractor_id, resource, record_id, change, was, version)
      values (new.contractor_id, 'customers', new.id,
        case when not old.owns_project then 'created' when not new.owns_project then 'deleted' else 'updated' end,
        case when old.owns_project then old.updated_at end, case when new.owns_project then new.updated_at end);
  end if;
  return null;
end $$;--> statement-breakpoint
create trigger feed_created after insert on users
  for each row when (new.owns_project) execute function queue_customer();--> statement-breakpoint
create trigger feed_updated after update on users
  for each row when ((old.owns_project or new.owns_project) and old.updated_at <> new.updated_at) execute function queue_customer();--> statement-breakpoint
create trigger feed_deleted after delete on users
  for each row when (old.owns_project) execute function queue_customer();--> statement-breakpoint

-- What a record adds to the checksum of its resource: the first eight bytes of SHA-256 of `<id> <updatedAt>`, as a signed number.
create function change_hash(id text, version timestamptz) returns bigint language sql stable as $$
  select ('x' || encode(substr(sha256(convert_to(
    id || ' ' || to_char(version at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'UTF8')), 1, 8), 'hex'))::bit(64)::bigint
$$;--> statement-breakpoint
-- A sum modulo 2^64, as a signed number.
create function wrap64(n numeric) returns bigint language sql immutable as $$
  select (mod(mod(n, 18446744073709551616) + 27670116110564327424, 18446744073709551616) - 9223372036854775808)::bigint
$$;--> statement-breakpoint

-- Gives committed changes of a contractor their positions, at most `most` of them, the longest queued first; how many it was. One at a
-- time for a contractor: the head is locked until the positions can be seen, so none is ever seen before a lower one. A change that
-- is committed late gets a later position. The order of one record's changes is that of the queue, because the second writer of a
-- record waits for the first. Each statement sees what was committed before it began, so this must run at `read committed`.
create function number_changes(of_contractor text, most int) returns int language plpgsql
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
      and id = any(array(select id from change_queue where contractor_id = of_contractor order by id limit most))
    returning *
  ), weighed as (
    select g.*, b.resource is null as complete, row_number() over (order by g.id) as n,
      case when w.counts then (g.version is not null)::int - (g.was is not null)::int else 0 end as more,
      case when w.counts then coalesce(change_hash(g.record_id, g.version), 0)::numeric - coalesce(change_hash(g.record_id, g.was), 0)
        else 0 end as weight
    from gone g left join change_base b on b.resource = g.resource
      cross join lateral (select not g.counted and (b.resource is null or g.record_id <= b.reached) as counts) w
  ), running as (
    select w.*, coalesce(sum(more) over earlier, 0) as more_before, coalesce(sum(weight) over earlier, 0) as weight_before
    from weighed w window earlier as (partition by resource order by id rows between unbounded preceding and 1 preceding)
  ), placed as (
    insert into changes (contractor_id, resource, position, record_id, change, version, numbered_at, count_before, sum_before)
    select of_contractor, r.resource, head.position + r.n, r.record_id, r.change, r.version, head.numbered_at,
      case when r.complete then coalesce(t.count, 0) + r.more_before end,
      case when r.complete then wrap64(coalesce(t.checksum, 0) + r.weight_before) end
    from running r left join change_totals t on t.contractor_id = of_contractor and t.resource = r.resource
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
end $$;--> statement-breakpoint

-- Counts the next `most` records of a table that were there before its feed; true once all are. The records and the queued changes are
-- of one snapshot: a change that is queued in it is part of what is counted here, and is marked so that it does not count again. A
-- numbering holds the row of `change_base` in share mode, so it sees either none or all of that.
create function count_records(of_resource text, most int) returns boolean language plpgsql
set enable_bitmapscan = off as $$
declare
  base change_base;
  listed text;
  last text;
begin
  select * into base from change_base where resource = of_resource for update;
  if not found then return true; end if;
  listed := case of_resource when 'customers' then 'users' when 'invoices' then 'analytics_invoice_records'
    when 'payments' then 'analytics_revenue_transactions' else of_resource end;
  execute format($q$
    with slice as materialized (
      select id, contractor_id, updated_at, %2$s as shown from %1$I t where id > $2 order by id limit $3
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
    case of_resource when 'customers' then 'owns_project' when 'payments' then 'type = ''payment_received''' else 'true' end)
    into last using of_resource, base.reached, most;
  if last is null then delete from change_base where resource = of_resource;
  else update change_base set reached = last where resource = of_resource; end if;
  return last is null;
end $$;--> statement-breakpoint
insert into change_base (resource)
  select 'customers' where exists (select from users) union all select 'projects' where exists (select from projects)
  union all select 'invoices' where exists (select from analytics_invoice_records)
  union all select 'payments' where exists (select from analytics_revenue_transactions)
  union all select 'estimates' where exists (select from estimates);--> statement-breakpoint

-- Remembers up to where a feed was deleted, however that happens: a cursor before that is too old.
create function remember_forgotten() returns trigger language plpgsql as $$
begin
  update change_heads h set forgotten_to = greatest(h.forgotten_to, o.position)
    from (select contractor_id, max(position) as position from old_rows group by contractor_id order by contractor_id) o
    where h.contractor_id = o.contractor_id;
  return null;
end $$;--> statement-breakpoint
create trigger remember_forgotten after delete on changes
  referencing old table as old_rows for each statement execute function remember_forgotten();
