CREATE TABLE "data_freshness" (
	"contractor_id" text NOT NULL,
	"resource" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "data_freshness_contractor_id_resource_pk" PRIMARY KEY("contractor_id","resource")
);
--> statement-breakpoint
CREATE TABLE "load_draft_files" (
	"id" text PRIMARY KEY NOT NULL,
	"contractor_id" text NOT NULL,
	"draft_id" text NOT NULL,
	"file" text NOT NULL,
	"role" text NOT NULL,
	"size" bigint DEFAULT 0 NOT NULL,
	"state" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "load_draft_parts" (
	"contractor_id" text NOT NULL,
	"file_id" text NOT NULL,
	"at" bigint NOT NULL,
	"bytes" "bytea" NOT NULL,
	CONSTRAINT "load_draft_parts_file_id_at_pk" PRIMARY KEY("file_id","at")
);
--> statement-breakpoint
CREATE TABLE "load_drafts" (
	"id" text PRIMARY KEY NOT NULL,
	"contractor_id" text NOT NULL,
	"source_id" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"is_dropped" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE TABLE "scheduled_sources" (
	"id" text PRIMARY KEY NOT NULL,
	"contractor_id" text NOT NULL,
	"kind" text NOT NULL,
	"name" text NOT NULL,
	"settings" jsonb NOT NULL,
	"secret" text,
	"token_hash" text,
	"every" text,
	"hour" integer,
	"weekday" integer,
	"dates" text,
	"complete" boolean NOT NULL,
	"state" text NOT NULL,
	"paused_at" timestamp (3) with time zone,
	"paused_reason" text,
	"failures" integer DEFAULT 0 NOT NULL,
	"failing_since" timestamp (3) with time zone,
	"last_run_at" timestamp (3) with time zone,
	"last_success_at" timestamp (3) with time zone,
	"next_at" timestamp (3) with time zone,
	"lease_until" timestamp (3) with time zone,
	"seen" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"created_by" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "source_mails" (
	"contractor_id" text NOT NULL,
	"source_id" text NOT NULL,
	"message_hash" text NOT NULL,
	"received_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "source_mails_source_id_message_hash_pk" PRIMARY KEY("source_id","message_hash")
);
--> statement-breakpoint
CREATE TABLE "source_runs" (
	"id" text PRIMARY KEY NOT NULL,
	"contractor_id" text NOT NULL,
	"source_id" text NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	"outcome" text NOT NULL,
	"files" json NOT NULL,
	"added" integer DEFAULT 0 NOT NULL,
	"updated" integer DEFAULT 0 NOT NULL,
	"deleted" integer DEFAULT 0 NOT NULL,
	"refused" integer DEFAULT 0 NOT NULL,
	"error" text,
	"load_id" text,
	"draft_id" text
);
--> statement-breakpoint
ALTER TABLE "data_freshness" ADD CONSTRAINT "data_freshness_contractor_id_contractors_id_fk" FOREIGN KEY ("contractor_id") REFERENCES "public"."contractors"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "load_draft_files" ADD CONSTRAINT "load_draft_files_contractor_id_contractors_id_fk" FOREIGN KEY ("contractor_id") REFERENCES "public"."contractors"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "load_draft_files" ADD CONSTRAINT "load_draft_files_draft_id_load_drafts_id_fk" FOREIGN KEY ("draft_id") REFERENCES "public"."load_drafts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "load_draft_parts" ADD CONSTRAINT "load_draft_parts_contractor_id_contractors_id_fk" FOREIGN KEY ("contractor_id") REFERENCES "public"."contractors"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "load_draft_parts" ADD CONSTRAINT "load_draft_parts_file_id_load_draft_files_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."load_draft_files"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "load_drafts" ADD CONSTRAINT "load_drafts_contractor_id_contractors_id_fk" FOREIGN KEY ("contractor_id") REFERENCES "public"."contractors"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "load_drafts" ADD CONSTRAINT "load_drafts_source_id_scheduled_sources_id_fk" FOREIGN KEY ("source_id") REFERENCES "public"."scheduled_sources"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "scheduled_sources" ADD CONSTRAINT "scheduled_sources_contractor_id_contractors_id_fk" FOREIGN KEY ("contractor_id") REFERENCES "public"."contractors"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "source_mails" ADD CONSTRAINT "source_mails_contractor_id_contractors_id_fk" FOREIGN KEY ("contractor_id") REFERENCES "public"."contractors"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "source_mails" ADD CONSTRAINT "source_mails_source_id_scheduled_sources_id_fk" FOREIGN KEY ("source_id") REFERENCES "public"."scheduled_sources"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "source_runs" ADD CONSTRAINT "source_runs_contractor_id_contractors_id_fk" FOREIGN KEY ("contractor_id") REFERENCES "public"."contractors"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "source_runs" ADD CONSTRAINT "source_runs_source_id_scheduled_sources_id_fk" FOREIGN KEY ("source_id") REFERENCES "public"."scheduled_sources"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "load_draft_files_draft" ON "load_draft_files" USING btree ("draft_id");--> statement-breakpoint
CREATE INDEX "load_draft_files_contractor" ON "load_draft_files" USING btree ("contractor_id");--> statement-breakpoint
CREATE INDEX "load_drafts_contractor" ON "load_drafts" USING btree ("contractor_id","created_at");--> statement-breakpoint
CREATE INDEX "load_drafts_created" ON "load_drafts" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "scheduled_sources_contractor" ON "scheduled_sources" USING btree ("contractor_id","id");--> statement-breakpoint
CREATE INDEX "scheduled_sources_due" ON "scheduled_sources" USING btree ("next_at") WHERE state = 'active' and next_at is not null;--> statement-breakpoint
CREATE INDEX "scheduled_sources_token" ON "scheduled_sources" USING btree ("token_hash") WHERE token_hash is not null;--> statement-breakpoint
CREATE INDEX "source_mails_received" ON "source_mails" USING btree ("received_at");--> statement-breakpoint
CREATE INDEX "source_runs_source" ON "source_runs" USING btree ("source_id","id");--> statement-breakpoint
CREATE INDEX "source_runs_contractor" ON "source_runs" USING btree ("contractor_id","ended_at");--> statement-breakpoint
CREATE INDEX "source_runs_started" ON "source_runs" USING btree ("started_at");--> statement-breakpoint
-- What is held is compressed already, or read a few times within a day.
alter table load_draft_parts alter column bytes set storage external;--> statement-breakpoint
-- The planner always assumes two hundred contractors: see docs/decisions/029-stable-plans.md.
alter table scheduled_sources alter column contractor_id set statistics 0;--> statement-breakpoint
alter table source_runs alter column contractor_id set statistics 0;--> statement-breakpoint
alter table source_mails alter column contractor_id set statistics 0;--> statement-breakpoint
alter table load_drafts alter column contractor_id set statistics 0;--> statement-breakpoint
alter table load_draft_files alter column contractor_id set statistics 0;--> statement-breakpoint
alter table load_draft_parts alter column contractor_id set statistics 0;--> statement-breakpoint
alter table data_freshness alter column contractor_id set statistics 0;--> statement-breakpoint

-- Behind the second fence, as 0050 has it.
select fence_table('scheduled_sources');--> statement-breakpoint
select fence_table('source_runs');--> statement-breakpoint
select fence_table('source_mails');--> statement-breakpoint
select fence_table('load_drafts');--> statement-breakpoint
select fence_table('load_draft_files');--> statement-breakpoint
select fence_table('load_draft_parts');--> statement-breakpoint
select fence_table('data_freshness');--> statement-breakpoint
do $$ begin
  if to_regrole('plumbline_tenant') is not null then
    grant select, insert, update, delete on scheduled_sources, source_runs, source_mails, load_drafts, load_draft_files, load_draft_parts, data_freshness
      to plumbline_tenant;
  end if;
end $$;
