CREATE TABLE "load_journals" (
	"contractor_id" text PRIMARY KEY NOT NULL,
	"load_id" text NOT NULL,
	"state" text NOT NULL,
	"step" text,
	"files" json NOT NULL,
	"author" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	CONSTRAINT "load_journals_state" CHECK (state in ('running', 'ended', 'taking_back', 'taken_back'))
);
--> statement-breakpoint
CREATE TABLE "load_images" (
	"contractor_id" text NOT NULL,
	"n" bigint GENERATED ALWAYS AS IDENTITY (sequence name "load_images_n_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"step" text NOT NULL,
	"table_name" text NOT NULL,
	"record_id" text NOT NULL,
	"before" jsonb,
	"after" bigint,
	CONSTRAINT "load_images_contractor_id_n_pk" PRIMARY KEY("contractor_id","n")
);
--> statement-breakpoint
ALTER TABLE "load_journals" ADD CONSTRAINT "load_journals_contractor_id_contractors_id_fk" FOREIGN KEY ("contractor_id") REFERENCES "public"."contractors"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "load_images" ADD CONSTRAINT "load_images_contractor_id_load_journals_contractor_id_fk" FOREIGN KEY ("contractor_id") REFERENCES "public"."load_journals"("contractor_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
-- The planner always assumes two hundred contractors: see docs/decisions/029-stable-plans.md.
alter table load_journals alter column contractor_id set statistics 0;--> statement-breakpoint
alter table load_images alter column contractor_id set statistics 0;--> statement-breakpoint

-- Behind the second fence. Every start grants what is missing; a version that serves meanwhile must be able to write behind it already.
select fence_table('load_journals');--> statement-breakpoint
select fence_table('load_images');--> statement-breakpoint
do $$ begin
  if to_regrole('plumbline_tenant') is not null then
    grant select, insert, update, delete on load_journals, load_images to plumbline_tenant;
  end if;
end $$;--> statement-breakpoint

-- Columns that follow from others, by triggers and the clock. A file never fills them, and taking a load back computes them again.
create function derived_columns(of_table text) returns text[] language sql immutable parallel safe as $$
  select array['updated_at'] || case of_table
    when 'users' then array['owns_project']
    when 'analytics_invoice_records' then array['customer_id', 'paid_amount', 'refunded_amount', 'reversed_amount', 'credited_amount',
      'written_off_amount', 'open_amount', 'stated_at', 'status', 'turns_at']
    when 'analytics_revenue_transactions' then array['customer_id', 'mismatched']
    when 'estimates' then array['status', 'turns_at']
    else '{}'::text[] end
$$;--> statement-breakpoint
-- A hash of what files and people fill of a record, by which a later change is noticed.
create function image_hash(of_table text, record jsonb) returns bigint language sql immutable parallel safe as $$
  select hashtextextended((record - derived_columns(of_table))::text, 0)
$$;--> statement-breakpoint

-- Notes what a load's statement changed, in its transaction, so that the load can be taken back. Only a load sets `app.load`. Without
-- nested loops, because a plan that was made for one row is kept for thousands.
create function note_images() returns trigger language plpgsql set enable_nestloop = off as $$
declare
  step text := current_setting('app.load');
begin
  if tg_op = 'INSERT' then
    insert into load_images (contractor_id, step, table_name, record_id, after)
      select n.contractor_id, step, tg_table_name, n.id, image_hash(tg_table_name, to_jsonb(n)) from new_rows n;
  elsif tg_op = 'UPDATE' then
    insert into load_images (contractor_id, step, table_name, record_id, before, after)
      select x.contractor_id, step, tg_table_name, x.id, x.before, image_hash(tg_table_name, x.after)
      from (select n.contractor_id, n.id, to_jsonb(o) as before, to_jsonb(n) as after from new_rows n join old_rows o on o.id = n.id) x
      where x.before - derived_columns(tg_table_name) <> x.after - derived_columns(tg_table_name);
  else
    insert into load_images (contractor_id, step, table_name, record_id, before)
      select o.contractor_id, step, tg_table_name, o.id, to_jsonb(o) from old_rows o;
  end if;
  return null;
end $$;--> statement-breakpoint
do $$
declare
  loaded name;
begin
  foreach loaded in array array['users', 'projects', 'analytics_invoice_records', 'analytics_revenue_transactions', 'estimates',
    'material_prices', 'project_materials']::name[]
  loop
    execute format('create trigger image_added after insert on %I referencing new table as new_rows for each statement
      when (current_setting(''app.load'', true) <> '''') execute function note_images()', loaded);
    execute format('create trigger image_changed after update on %I referencing old table as old_rows new table as new_rows
      for each statement when (current_setting(''app.load'', true) <> '''') execute function note_images()', loaded);
    execute format('create trigger image_deleted after delete on %I referencing old table as old_rows for each statement
      when (current_setting(''app.load'', true) <> '''') execute function note_images()', loaded);
  end loop;
end $$;
