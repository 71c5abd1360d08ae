CREATE TABLE "webhook_deliveries" (
	"seq" bigint GENERATED ALWAYS AS IDENTITY (sequence name "webhook_deliveries_seq_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"id" text PRIMARY KEY NOT NULL,
	"contractor_id" text NOT NULL,
	"endpoint_id" text NOT NULL,
	"message_id" text NOT NULL,
	"position" bigint,
	"type" text NOT NULL,
	"resource" text NOT NULL,
	"record_id" text NOT NULL,
	"body" text NOT NULL,
	"is_replay" boolean NOT NULL,
	"state" text NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"tried" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"next_at" timestamp (3) with time zone NOT NULL,
	"status" integer,
	"response" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "webhook_endpoints" (
	"id" text PRIMARY KEY NOT NULL,
	"contractor_id" text NOT NULL,
	"url" text NOT NULL,
	"description" text NOT NULL,
	"event_types" text[] NOT NULL,
	"secret" text NOT NULL,
	"previous_secret" text,
	"previous_until" timestamp (3) with time zone,
	"position" bigint NOT NULL,
	"stamp" text NOT NULL,
	"replay_position" bigint,
	"replay_until" bigint,
	"state" text NOT NULL,
	"paused_at" timestamp (3) with time zone,
	"paused_reason" text,
	"failures" integer DEFAULT 0 NOT NULL,
	"failing_since" timestamp (3) with time zone,
	"succeeded_at" timestamp (3) with time zone,
	"next_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"created_by" text NOT NULL
);
--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_endpoint_id_webhook_endpoints_id_fk" FOREIGN KEY ("endpoint_id") REFERENCES "public"."webhook_endpoints"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_contractor_id_contractors_id_fk" FOREIGN KEY ("contractor_id") REFERENCES "public"."contractors"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "webhook_deliveries_once" ON "webhook_deliveries" USING btree ("endpoint_id","position") WHERE not is_replay;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_log" ON "webhook_deliveries" USING btree ("contractor_id","endpoint_id","seq");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_order" ON "webhook_deliveries" USING btree ("endpoint_id","resource","record_id","seq") WHERE state = 'pending';--> statement-breakpoint
CREATE INDEX "webhook_deliveries_due" ON "webhook_deliveries" USING btree ("endpoint_id","next_at") WHERE state = 'pending';--> statement-breakpoint
CREATE INDEX "webhook_deliveries_ended" ON "webhook_deliveries" USING btree ("ended_at") WHERE ended_at is not null;--> statement-breakpoint
CREATE INDEX "webhook_endpoints_contractor" ON "webhook_endpoints" USING btree ("contractor_id","id");--> statement-breakpoint
alter table webhook_endpoints add constraint webhook_endpoints_state check ((state = 'active') = (paused_at is null));--> statement-breakpoint
alter table webhook_deliveries add constraint webhook_deliveries_state check ((state = 'pending') = (ended_at is null));--> statement-breakpoint
-- The planner always assumes two hundred contractors: see docs/decisions/029-stable-plans.md.
alter table webhook_endpoints alter column contractor_id set statistics 0;--> statement-breakpoint
alter table webhook_deliveries alter column contractor_id set statistics 0;--> statement-breakpoint

-- Behind the second fence. Every start grants what is missing; a version that serves meanwhile must be able to write behind it already.
select fence_table('webhook_endpoints');--> statement-breakpoint
select fence_table('webhook_deliveries');--> statement-breakpoint
do $$ begin
  if to_regrole('plumbline_tenant') is not null then
    grant select, insert, update, delete on webhook_endpoints, webhook_deliveries to plumbline_tenant;
  end if;
end $$;
