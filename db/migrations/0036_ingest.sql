CREATE TABLE "load_parts" (
	"contractor_id" text NOT NULL,
	"at" bigint NOT NULL,
	"bytes" "bytea" NOT NULL,
	CONSTRAINT "load_parts_contractor_id_at_pk" PRIMARY KEY("contractor_id","at")
);
--> statement-breakpoint
CREATE TABLE "load_uploads" (
	"contractor_id" text PRIMARY KEY NOT NULL,
	"upload" text NOT NULL,
	"file" text NOT NULL,
	"encoding" text NOT NULL,
	"size" bigint NOT NULL,
	"received" bigint NOT NULL,
	"seen_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "loads" (
	"id" text PRIMARY KEY NOT NULL,
	"contractor_id" text NOT NULL,
	"key_id" text,
	"file" text NOT NULL,
	"complete" text,
	"size" bigint NOT NULL,
	"state" text NOT NULL,
	"read" integer DEFAULT 0 NOT NULL,
	"report" json,
	"counts" json,
	"error" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"seen_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	CONSTRAINT "loads_state" CHECK ((state = 'running') = (ended_at is null))
);
--> statement-breakpoint
ALTER TABLE "load_parts" ADD CONSTRAINT "load_parts_contractor_id_load_uploads_contractor_id_fk" FOREIGN KEY ("contractor_id") REFERENCES "public"."load_uploads"("contractor_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "load_uploads" ADD CONSTRAINT "load_uploads_contractor_id_contractors_id_fk" FOREIGN KEY ("contractor_id") REFERENCES "public"."contractors"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "loads" ADD CONSTRAINT "loads_contractor_id_contractors_id_fk" FOREIGN KEY ("contractor_id") REFERENCES "public"."contractors"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "loads_contractor" ON "loads" USING btree ("contractor_id","id");--> statement-breakpoint
CREATE INDEX "loads_created" ON "loads" USING btree ("created_at");--> statement-breakpoint
-- What is uploaded is compressed already, or read once.
alter table load_parts alter column bytes set storage external;--> statement-breakpoint
-- The planner always assumes two hundred contractors: see docs/decisions/029-stable-plans.md.
alter table loads alter column contractor_id set statistics 0;--> statement-breakpoint
alter table load_parts alter column contractor_id set statistics 0;--> statement-breakpoint

-- Behind the second fence. Every start grants what is missing; a version that serves meanwhile must be able to write behind it already.
select fence_table('loads');--> statement-breakpoint
select fence_table('load_uploads');--> statement-breakpoint
select fence_table('load_parts');--> statement-breakpoint
do $$ begin
  if to_regrole('plumbline_tenant') is not null then
    grant select, insert, update, delete on loads, load_uploads, load_parts to plumbline_tenant;
  end if;
end $$;
