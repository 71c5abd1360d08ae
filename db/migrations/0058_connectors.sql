CREATE TABLE "connector_attempts" (
	"hash" text PRIMARY KEY NOT NULL,
	"contractor_id" text NOT NULL,
	"connector" text NOT NULL,
	"person_id" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "connector_links" (
	"contractor_id" text NOT NULL,
	"connector" text NOT NULL,
	"company" text NOT NULL,
	"entity" text NOT NULL,
	"external_id" text NOT NULL,
	"part" text NOT NULL,
	"resource" text NOT NULL,
	"reference" text NOT NULL,
	"owner" text,
	"generation" integer NOT NULL,
	CONSTRAINT "connector_links_contractor_id_connector_company_entity_external_id_part_pk" PRIMARY KEY("contractor_id","connector","company","entity","external_id","part")
);
--> statement-breakpoint
CREATE TABLE "connector_runs" (
	"id" text PRIMARY KEY NOT NULL,
	"contractor_id" text NOT NULL,
	"connector" text NOT NULL,
	"kind" text NOT NULL,
	"state" text NOT NULL,
	"read" integer DEFAULT 0 NOT NULL,
	"counts" jsonb NOT NULL,
	"faults" jsonb NOT NULL,
	"fault_count" integer DEFAULT 0 NOT NULL,
	"error" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"seen_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	CONSTRAINT "connector_runs_state" CHECK ((state = 'running') = (ended_at is null))
);
--> statement-breakpoint
CREATE TABLE "connectors" (
	"contractor_id" text NOT NULL,
	"connector" text NOT NULL,
	"company" text NOT NULL,
	"company_name" text,
	"environment" text NOT NULL,
	"state" text NOT NULL,
	"state_at" timestamp (3) with time zone NOT NULL,
	"access_token" text,
	"access_until" timestamp (3) with time zone,
	"refresh_token" text,
	"refresh_until" timestamp (3) with time zone,
	"token_version" integer DEFAULT 0 NOT NULL,
	"refreshing_until" timestamp (3) with time zone,
	"mode" text NOT NULL,
	"generation" integer DEFAULT 1 NOT NULL,
	"cursor" jsonb,
	"since" timestamp (3) with time zone,
	"synced_at" timestamp (3) with time zone,
	"next_at" timestamp (3) with time zone NOT NULL,
	"throttled_until" timestamp (3) with time zone,
	"failures" integer DEFAULT 0 NOT NULL,
	"failing_at" timestamp (3) with time zone,
	"error" text,
	"run_id" text,
	"lease_id" text,
	"lease_until" timestamp (3) with time zone,
	"connected_by" text NOT NULL,
	"connected_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "connectors_contractor_id_connector_pk" PRIMARY KEY("contractor_id","connector"),
	CONSTRAINT "connectors_tokens" CHECK ((state = 'connected') <= (refresh_token is not null))
);
--> statement-breakpoint
ALTER TABLE "connector_attempts" ADD CONSTRAINT "connector_attempts_contractor_id_contractors_id_fk" FOREIGN KEY ("contractor_id") REFERENCES "public"."contractors"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "connector_links" ADD CONSTRAINT "connector_links_contractor_id_contractors_id_fk" FOREIGN KEY ("contractor_id") REFERENCES "public"."contractors"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "connector_runs" ADD CONSTRAINT "connector_runs_contractor_id_contractors_id_fk" FOREIGN KEY ("contractor_id") REFERENCES "public"."contractors"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "connectors" ADD CONSTRAINT "connectors_contractor_id_contractors_id_fk" FOREIGN KEY ("contractor_id") REFERENCES "public"."contractors"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "connector_attempts_expires" ON "connector_attempts" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "connector_links_reference" ON "connector_links" USING btree ("contractor_id","resource","reference");--> statement-breakpoint
CREATE INDEX "connector_runs_contractor" ON "connector_runs" USING btree ("contractor_id","id");--> statement-breakpoint
CREATE INDEX "connector_runs_created" ON "connector_runs" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "connectors_due" ON "connectors" USING btree ("next_at") WHERE state = 'connected';--> statement-breakpoint
CREATE INDEX "connectors_company" ON "connectors" USING btree ("connector","company");--> statement-breakpoint
-- The planner always assumes two hundred contractors: see docs/decisions/029-stable-plans.md.
alter table connectors alter column contractor_id set statistics 0;--> statement-breakpoint
alter table connector_attempts alter column contractor_id set statistics 0;--> statement-breakpoint
alter table connector_links alter column contractor_id set statistics 0;--> statement-breakpoint
alter table connector_runs alter column contractor_id set statistics 0;--> statement-breakpoint

-- Behind the second fence, as 0050 has it.
select fence_table('connectors');--> statement-breakpoint
select fence_table('connector_attempts');--> statement-breakpoint
select fence_table('connector_links');--> statement-breakpoint
select fence_table('connector_runs');--> statement-breakpoint
do $$ begin
  if to_regrole('plumbline_tenant') is not null then
    grant select, insert, update, delete on connectors, connector_attempts, connector_links, connector_runs to plumbline_tenant;
  end if;
end $$;
