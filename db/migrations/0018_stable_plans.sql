DROP INDEX "invoices_walk";--> statement-breakpoint
DROP INDEX "invoices_by_status";--> statement-breakpoint
DROP INDEX "projects_walk";--> statement-breakpoint
DROP INDEX "projects_by_status";--> statement-breakpoint
DROP INDEX "payments_walk";--> statement-breakpoint
DROP INDEX "users_walk";--> statement-breakpoint
CREATE INDEX "adjustments_by_project" ON "analytics_revenue_transactions" USING btree ("contractor_id","project_id") WHERE type = 'adjustment';--> statement-breakpoint
CREATE INDEX "invoices_walk" ON "analytics_invoice_records" USING btree (contractor_id collate "C","updated_at","id");--> statement-breakpoint
CREATE INDEX "invoices_by_status" ON "analytics_invoice_records" USING btree ("status","contractor_id","updated_at","id");--> statement-breakpoint
CREATE INDEX "projects_walk" ON "projects" USING btree (contractor_id collate "C","updated_at","id");--> statement-breakpoint
CREATE INDEX "projects_by_status" ON "projects" USING btree ("status","contractor_id","updated_at","id");--> statement-breakpoint
CREATE INDEX "payments_walk" ON "analytics_revenue_transactions" USING btree (contractor_id collate "C","updated_at","id") WHERE type = 'payment_received';--> statement-breakpoint
CREATE INDEX "users_walk" ON "users" USING btree (contractor_id collate "C","updated_at","id") WHERE owns_project;--> statement-breakpoint
-- Plans that do not hang on statistics. How rows are spread over contractors (and over what a contractor's lists are filtered by) is known
-- for those who are there, and wrong for the next: the planner takes a contractor it has not counted for one without rows, finds every
-- index that leads with the contractor equally good, and reads all that is his for each row it looks up. So it is told nothing of these
-- columns. It then takes each value for one of two hundred, always, and the index that names the most columns wins.

-- Keeps what a column holds from the planner, from now on and what was gathered before: a change of type forgets that, the same type costs
-- no rewrite. Not for a column that a policy or the condition of a trigger names.
create function hide_from_planner(of_table regclass, hidden name) returns void language plpgsql as $$
declare
  its_type text;
begin
  select format_type(atttypid, atttypmod) into its_type from pg_attribute where attrelid = of_table and attname = hidden;
  execute format('alter table %s alter column %I set statistics 0', of_table, hidden);
  if exists (select from pg_stats s join pg_class c on c.relname = s.tablename and c.relnamespace = s.schemaname::regnamespace
      where c.oid = of_table and s.attname = hidden) then
    execute format('alter table %s alter column %I type %s', of_table, hidden, its_type);
  end if;
end $$;--> statement-breakpoint

-- The same for the column that a table's fence goes by; run for each table with a contractor's rows.
create function hide_owner_from_planner(of_table regclass, owner_column name default 'contractor_id') returns void language plpgsql as $$
begin
  execute format('drop policy one_contractor on %s', of_table);
  perform hide_from_planner(of_table, owner_column);
  perform fence_table(of_table, owner_column);
end $$;--> statement-breakpoint

select hide_owner_from_planner(c.oid) from pg_class c join pg_attribute a on a.attrelid = c.oid
  where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace and a.attname = 'contractor_id' and not a.attisdropped;--> statement-breakpoint
select hide_owner_from_planner('search_queue', 'owner');--> statement-breakpoint
drop trigger keep_owner_of_changed on projects;--> statement-breakpoint
select hide_from_planner(t.name::regclass, c.name)
  from (values ('users'), ('projects'), ('analytics_invoice_records'), ('analytics_revenue_transactions'), ('material_prices')) t(name)
  join pg_attribute a on a.attrelid = t.name::regclass and not a.attisdropped
  join (values ('customer_id'), ('project_id'), ('status'), ('updated_at'), ('turns_at'), ('item_key')) c(name) on c.name = a.attname;--> statement-breakpoint
create trigger keep_owner_of_changed after update on projects
  for each row when (old.customer_id is distinct from new.customer_id) execute function keep_project_owner();--> statement-breakpoint

-- True for the contractor's own rows and null for others: what equality says, at a cost that has the planner look at as few rows as it can.
-- Asked for with "is not null", which it takes to hold for nearly all rows, and not for a third of them as a function's answer.
create function belongs_to(owner text, contractor text) returns boolean language plpgsql immutable strict parallel safe cost 4000 as $$
begin
  return nullif(owner = contractor, false);
end $$;--> statement-breakpoint

-- As before; by the contractor too, which is what the indexes by project lead with, and type by type, as they are. `execute` plans for the
-- tables as they are now.
create or replace function keep_project_owner() returns trigger language plpgsql
set enable_seqscan = off as $$
declare
  kind text;
begin
  if tg_op <> 'DELETE' then
    update users set owns_project = true where id = new.customer_id and not owns_project;
  end if;
  if tg_op = 'UPDATE' then
    execute 'update analytics_invoice_records set customer_id = $1 where contractor_id = $2 and project_id = $3'
      using new.customer_id, new.contractor_id, new.id;
    foreach kind in array array['payment_received', 'refund', 'adjustment'] loop
      execute format('update analytics_revenue_transactions set customer_id = $1
        where contractor_id = $2 and project_id = $3 and type = %L', kind) using new.customer_id, new.contractor_id, new.id;
    end loop;
  end if;
  if tg_op <> 'INSERT' then
    update users set owns_project = false
      where id = old.customer_id and not exists (select 1 from projects where customer_id = old.customer_id);
  end if;
  return null;
end $$;--> statement-breakpoint

-- As before; invoice by invoice through the index, however many payments the planner thinks one has.
create or replace function sum_invoice_payments(invoices text[]) returns void language plpgsql
set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
begin
  perform 1 from analytics_invoice_records where id = any(invoices) order by id for no key update;
  update analytics_invoice_records i set paid_amount = s.paid
    from (
      select r.id, (
        select coalesce(sum(case t.type when 'payment_received' then t.amount when 'refund' then -t.amount else 0 end), 0)
        from analytics_revenue_transactions t where t.invoice_id = r.id) as paid
      from unnest(invoices) r(id) offset 0
    ) s
    where i.id = s.id and i.paid_amount <> s.paid;
end $$;--> statement-breakpoint

-- A plan is kept for as long as a connection lives, also one that was made while a table was short: so these never read a table whole, and
-- where several indexes would do they are left one.
alter function put_record_documents(text, jsonb) set enable_seqscan = off;--> statement-breakpoint
alter function remove_record_documents(text, jsonb) set enable_seqscan = off;--> statement-breakpoint
alter function index_permits(jsonb) set enable_seqscan = off;--> statement-breakpoint
alter function index_items(jsonb) set enable_seqscan = off;--> statement-breakpoint
-- As before; `|| ''` leaves the primary key.
create or replace function index_projects(wanted jsonb) returns void language plpgsql
set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
declare
  kind record;
begin
  for kind in
    select t.type, jsonb_agg(project_document(p) order by p.id) filter (where p.id is not null and search_type(p) = t.type) as there,
      jsonb_agg(jsonb_build_object('owner', w.owner, 'reference', w.reference))
        filter (where p.id is null or search_type(p) <> t.type) as gone
    from jsonb_to_recordset(wanted) as w(owner text, reference text)
      cross join (values ('lead'), ('project')) t(type)
      left join projects p on p.id = w.reference and p.contractor_id || '' = w.owner
    group by t.type order by t.type
  loop
    if kind.gone is not null then perform remove_record_documents(kind.type, kind.gone); end if;
    if kind.there is not null then perform put_record_documents(kind.type, kind.there); end if;
  end loop;
end $$;--> statement-breakpoint
-- As before; what is taken is deleted by its keys.
create or replace function index_queued(of_owner text, most int) returns int language plpgsql
set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
declare
  taken int;
  batch jsonb;
  work record;
begin
  if of_owner is null then select owner into of_owner from search_queue order by id limit 1; end if;
  if not exists (select 1 from search_queue where owner = of_owner) then return 0; end if;
  perform pg_advisory_xact_lock(hashtextextended('search_queue ' || of_owner, 0));
  with gone as (
    delete from search_queue
    where id = any(array(select id from search_queue where owner = of_owner order by id limit most))
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
end $$;--> statement-breakpoint
-- As before; by the contractor as the index of the list leads with it.
create or replace function latest_moment(listed name, of_contractor text) returns timestamptz
language plpgsql security definer set search_path from current
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off as $$
declare
  shown timestamptz;
begin
  execute format(
    'select updated_at from %I where contractor_id collate "C" = $1 %s order by updated_at desc limit 1', listed,
    case listed when 'users' then 'and owns_project'
      when 'analytics_revenue_transactions' then 'and type = ''payment_received''' else '' end)
    into shown using of_contractor;
  return coalesce(greatest(shown, (select max(seen_at) from clock where seen_at < clock_timestamp() + interval '1 day')), '-infinity');
end $$;
