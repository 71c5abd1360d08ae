CREATE TABLE "job_counters" (
	"contractor_id" text PRIMARY KEY NOT NULL,
	"last" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "lead_deliveries" (
	"id" text PRIMARY KEY NOT NULL,
	"contractor_id" text NOT NULL,
	"key_id" text,
	"request_id" text NOT NULL,
	"source" text NOT NULL,
	"received_at" timestamp (3) with time zone NOT NULL,
	"content_type" text,
	"bytes" integer NOT NULL,
	"body" text NOT NULL,
	"outcome" text NOT NULL,
	"status" integer NOT NULL,
	"project_id" text,
	"job_number" integer,
	"reason" text,
	"faults" jsonb,
	"mapping" jsonb,
	"replay_of" text
);
--> statement-breakpoint
CREATE TABLE "lead_source_secrets" (
	"contractor_id" text NOT NULL,
	"source" text NOT NULL,
	"secret_hash" text NOT NULL,
	CONSTRAINT "lead_source_secrets_contractor_id_source_pk" PRIMARY KEY("contractor_id","source")
);
--> statement-breakpoint
CREATE TABLE "leads" (
	"project_id" text PRIMARY KEY NOT NULL,
	"contractor_id" text NOT NULL,
	"source" text NOT NULL,
	"dedupe_key" text NOT NULL,
	"external_id" text,
	"lead_source" text,
	"source_keyword" text,
	"source_category" text NOT NULL,
	"first_name" text NOT NULL,
	"last_name" text NOT NULL,
	"email" text,
	"phone" text,
	"received_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "leads_dedupe_key_unique" UNIQUE("dedupe_key")
);
--> statement-breakpoint
DROP INDEX "users_email";--> statement-breakpoint
DROP INDEX "users_phone";--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "job_number" integer;--> statement-breakpoint
ALTER TABLE "job_counters" ADD CONSTRAINT "job_counters_contractor_id_contractors_id_fk" FOREIGN KEY ("contractor_id") REFERENCES "public"."contractors"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "lead_source_secrets" ADD CONSTRAINT "lead_source_secrets_contractor_id_contractors_id_fk" FOREIGN KEY ("contractor_id") REFERENCES "public"."contractors"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "leads" ADD CONSTRAINT "leads_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "lead_deliveries_walk" ON "lead_deliveries" USING btree ("contractor_id","id");--> statement-breakpoint
CREATE INDEX "lead_deliveries_faulty" ON "lead_deliveries" USING btree ("contractor_id","outcome","id") WHERE outcome in ('refused', 'failed');--> statement-breakpoint
CREATE INDEX "lead_deliveries_replays" ON "lead_deliveries" USING btree ("replay_of") WHERE replay_of is not null;--> statement-breakpoint
CREATE INDEX "leads_received" ON "leads" USING btree ("contractor_id","received_at");--> statement-breakpoint
CREATE UNIQUE INDEX "projects_job_number" ON "projects" USING btree ("contractor_id","job_number") WHERE job_number is not null;--> statement-breakpoint
CREATE INDEX "users_email" ON "users" USING btree ("email") WHERE email is not null;--> statement-breakpoint
CREATE INDEX "users_phone" ON "users" USING btree ("phone") WHERE phone is not null;