CREATE TABLE "estimates" (
	"id" text PRIMARY KEY NOT NULL,
	"contractor_id" text NOT NULL,
	"customer_id" text NOT NULL,
	"project_id" text,
	"source_reference" text,
	"number" text NOT NULL,
	"amount" numeric(14, 2) NOT NULL,
	"currency" text NOT NULL,
	"estimate_date" timestamp (3) with time zone NOT NULL,
	"valid_until" timestamp (3) with time zone,
	"stated_status" text NOT NULL,
	"status" text DEFAULT 'draft' NOT NULL,
	"turns_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT date_trunc('milliseconds', clock_timestamp()) NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT date_trunc('milliseconds', clock_timestamp()) NOT NULL
);
--> statement-breakpoint
ALTER TABLE "estimates" ADD CONSTRAINT "estimates_contractor_id_contractors_id_fk" FOREIGN KEY ("contractor_id") REFERENCES "public"."contractors"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "estimates" ADD CONSTRAINT "estimates_customer_id_users_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "estimates" ADD CONSTRAINT "estimates_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "estimates_source" ON "estimates" USING btree ("contractor_id","source_reference");--> statement-breakpoint
CREATE INDEX "estimates_walk" ON "estimates" USING btree (contractor_id collate "C","updated_at","id");--> statement-breakpoint
CREATE INDEX "estimates_by_customer" ON "estimates" USING btree ("contractor_id","customer_id","updated_at","id");--> statement-breakpoint
CREATE INDEX "estimates_by_project" ON "estimates" USING btree ("contractor_id","project_id","updated_at","id");--> statement-breakpoint
CREATE INDEX "estimates_by_status" ON "estimates" USING btree ("status","contractor_id","updated_at","id");--> statement-breakpoint
CREATE INDEX "estimates_by_date" ON "estimates" USING btree ("contractor_id","estimate_date");--> statement-breakpoint
CREATE INDEX "estimates_turning" ON "estimates" USING btree ("contractor_id","turns_at") WHERE turns_at is not null;--> statement-breakpoint
alter table estimates add constraint estimates_status
  check (status in ('draft', 'sent', 'accepted', 'declined', 'expired'));--> statement-breakpoint
alter table estimates add constraint estimates_stated_status
  check (stated_status in ('draft', 'sent', 'accepted', 'declined', 'expired'));--> statement-breakpoint

-- Behind the second fence, and unknown to the planner as the columns of the other resources are (docs/decisions/029-stable-plans.md).
select hide_from_planner('estimates', c) from unnest(array['contractor_id', 'customer_id', 'project_id', 'status', 'updated_at', 'turns_at']) c;--> statement-breakpoint
select fence_table('estimates');--> statement-breakpoint
-- Every start grants what is missing; a version that serves meanwhile must be able to write behind the fence already.
do $$ begin
  if to_regrole('plumbline_tenant') is not null then
    grant select, insert, update, delete on estimates to plumbline_tenant;
  end if;
end $$;--> statement-breakpoint

-- The status an estimate has at a moment: what the office said last, but for a sent one whose last valid UTC day is over.
create function estimate_status_at(stated text, valid_until timestamptz, at timestamptz) returns text language sql immutable as $$
  select case
    when stated = 'sent' and at >= date_trunc('day', valid_until at time zone 'UTC') at time zone 'UTC' + interval '1 day' then 'expired'
    else stated
  end
$$;--> statement-breakpoint

-- Keeps status, and the moment at which the clock alone will change it (null when it never will).
create function keep_estimate_status() returns trigger language plpgsql as $$
begin
  new.status := estimate_status_at(new.stated_status, new.valid_until, clock_timestamp());
  new.turns_at := case new.status
    when 'sent' then date_trunc('day', new.valid_until at time zone 'UTC') at time zone 'UTC' + interval '1 day'
  end;
  return new;
end $$;--> statement-breakpoint
create trigger keep_status before insert or update on estimates
  for each row execute function keep_estimate_status();--> statement-breakpoint
create trigger stamp before insert on estimates for each row execute function stamp_listed();--> statement-breakpoint
-- Triggers of one event fire by name: `touch` comes after `keep_status` and so sees the status that will be stored.
create trigger touch before update on estimates for each row execute function touch_listed();--> statement-breakpoint

-- As before; the estimates of a project follow it to its new owner too.
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
    execute 'update estimates set customer_id = $1 where contractor_id = $2 and project_id = $3'
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
end $$;
