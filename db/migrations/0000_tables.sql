CREATE TABLE "api_keys" (
	"id" text PRIMARY KEY NOT NULL,
	"contractor_id" text NOT NULL,
	"name" text NOT NULL,
	"preset" text,
	"scopes" text[] NOT NULL,
	"mode" text NOT NULL,
	"secret_hash" text NOT NULL,
	"last4" text NOT NULL,
	"rotated_from" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"revoked_at" timestamp (3) with time zone,
	CONSTRAINT "api_keys_secret_hash_unique" UNIQUE("secret_hash")
);
--> statement-breakpoint
CREATE TABLE "contractors" (
	"id" text PRIMARY KEY NOT NULL,
	"slug" text NOT NULL,
	"name" text NOT NULL,
	"trade" text,
	"city" text,
	"state" text,
	"timezone" text DEFAULT 'America/New_York' NOT NULL,
	"currency" text DEFAULT 'USD' NOT NULL,
	"demo" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT date_trunc('milliseconds', clock_timestamp()) NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT date_trunc('milliseconds', clock_timestamp()) NOT NULL,
	CONSTRAINT "contractors_slug_unique" UNIQUE("slug")
);
--> statement-breakpoint
CREATE TABLE "analytics_invoice_records" (
	"id" text PRIMARY KEY NOT NULL,
	"contractor_id" text NOT NULL,
	"project_id" text NOT NULL,
	"customer_id" text NOT NULL,
	"source_reference" text,
	"number" text NOT NULL,
	"amount" numeric(14, 2) NOT NULL,
	"currency" text NOT NULL,
	"invoice_date" timestamp (3) with time zone NOT NULL,
	"due_date" timestamp (3) with time zone NOT NULL,
	"settled_at" timestamp (3) with time zone,
	"paid_amount" numeric(14, 2) DEFAULT '0' NOT NULL,
	"status" text DEFAULT 'current' NOT NULL,
	"turns_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT date_trunc('milliseconds', clock_timestamp()) NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT date_trunc('milliseconds', clock_timestamp()) NOT NULL
);
--> statement-breakpoint
CREATE TABLE "projects" (
	"id" text PRIMARY KEY NOT NULL,
	"contractor_id" text NOT NULL,
	"customer_id" text NOT NULL,
	"source_reference" text,
	"name" text NOT NULL,
	"status" text NOT NULL,
	"total_amount" numeric(14, 2) DEFAULT '0' NOT NULL,
	"address" text,
	"city" text,
	"state" text,
	"zip" text,
	"description" text,
	"start_date" date,
	"end_date" date,
	"created_at" timestamp (3) with time zone DEFAULT date_trunc('milliseconds', clock_timestamp()) NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT date_trunc('milliseconds', clock_timestamp()) NOT NULL
);
--> statement-breakpoint
CREATE TABLE "analytics_revenue_transactions" (
	"id" text PRIMARY KEY NOT NULL,
	"contractor_id" text NOT NULL,
	"project_id" text NOT NULL,
	"customer_id" text NOT NULL,
	"invoice_id" text,
	"source_reference" text,
	"type" text NOT NULL,
	"amount" numeric(14, 2) NOT NULL,
	"currency" text NOT NULL,
	"date" timestamp (3) with time zone NOT NULL,
	"method" text NOT NULL,
	"reference" text,
	"created_at" timestamp (3) with time zone DEFAULT date_trunc('milliseconds', clock_timestamp()) NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT date_trunc('milliseconds', clock_timestamp()) NOT NULL
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" text PRIMARY KEY NOT NULL,
	"contractor_id" text NOT NULL,
	"source_reference" text,
	"name" text NOT NULL,
	"email" text,
	"phone" text,
	"phone_raw" text,
	"address" text,
	"city" text,
	"state" text,
	"zip" text,
	"owns_project" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT date_trunc('milliseconds', clock_timestamp()) NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT date_trunc('milliseconds', clock_timestamp()) NOT NULL
);
--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_contractor_id_contractors_id_fk" FOREIGN KEY ("contractor_id") REFERENCES "public"."contractors"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "analytics_invoice_records" ADD CONSTRAINT "analytics_invoice_records_contractor_id_contractors_id_fk" FOREIGN KEY ("contractor_id") REFERENCES "public"."contractors"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "analytics_invoice_records" ADD CONSTRAINT "analytics_invoice_records_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "analytics_invoice_records" ADD CONSTRAINT "analytics_invoice_records_customer_id_users_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "projects" ADD CONSTRAINT "projects_contractor_id_contractors_id_fk" FOREIGN KEY ("contractor_id") REFERENCES "public"."contractors"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "projects" ADD CONSTRAINT "projects_customer_id_users_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "analytics_revenue_transactions" ADD CONSTRAINT "analytics_revenue_transactions_contractor_id_contractors_id_fk" FOREIGN KEY ("contractor_id") REFERENCES "public"."contractors"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "analytics_revenue_transactions" ADD CONSTRAINT "analytics_revenue_transactions_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "analytics_revenue_transactions" ADD CONSTRAINT "analytics_revenue_transactions_customer_id_users_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "analytics_revenue_transactions" ADD CONSTRAINT "analytics_revenue_transactions_invoice_id_analytics_invoice_records_id_fk" FOREIGN KEY ("invoice_id") REFERENCES "public"."analytics_invoice_records"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_contractor_id_contractors_id_fk" FOREIGN KEY ("contractor_id") REFERENCES "public"."contractors"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "api_keys_contractor" ON "api_keys" USING btree ("contractor_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "invoices_source" ON "analytics_invoice_records" USING btree ("contractor_id","source_reference");--> statement-breakpoint
CREATE INDEX "invoices_walk" ON "analytics_invoice_records" USING btree ("contractor_id","updated_at","id");--> statement-breakpoint
CREATE INDEX "invoices_by_customer" ON "analytics_invoice_records" USING btree ("contractor_id","customer_id","updated_at","id");--> statement-breakpoint
CREATE INDEX "invoices_by_project" ON "analytics_invoice_records" USING btree ("contractor_id","project_id","updated_at","id");--> statement-breakpoint
CREATE INDEX "invoices_by_status" ON "analytics_invoice_records" USING btree ("contractor_id","status","updated_at","id");--> statement-breakpoint
CREATE INDEX "invoices_by_date" ON "analytics_invoice_records" USING btree ("contractor_id","invoice_date");--> statement-breakpoint
CREATE INDEX "invoices_turning" ON "analytics_invoice_records" USING btree ("contractor_id","turns_at") WHERE turns_at is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "projects_source" ON "projects" USING btree ("contractor_id","source_reference");--> statement-breakpoint
CREATE INDEX "projects_walk" ON "projects" USING btree ("contractor_id","updated_at","id");--> statement-breakpoint
CREATE INDEX "projects_by_customer" ON "projects" USING btree ("contractor_id","customer_id","updated_at","id");--> statement-breakpoint
CREATE INDEX "projects_by_status" ON "projects" USING btree ("contractor_id","status","updated_at","id");--> statement-breakpoint
CREATE INDEX "projects_owner" ON "projects" USING btree ("customer_id");--> statement-breakpoint
CREATE UNIQUE INDEX "transactions_source" ON "analytics_revenue_transactions" USING btree ("contractor_id","source_reference");--> statement-breakpoint
CREATE INDEX "payments_walk" ON "analytics_revenue_transactions" USING btree ("contractor_id","updated_at","id") WHERE type = 'payment_received';--> statement-breakpoint
CREATE INDEX "payments_by_customer" ON "analytics_revenue_transactions" USING btree ("contractor_id","customer_id","updated_at","id") WHERE type = 'payment_received';--> statement-breakpoint
CREATE INDEX "payments_by_project" ON "analytics_revenue_transactions" USING btree ("contractor_id","project_id","updated_at","id") WHERE type = 'payment_received';--> statement-breakpoint
CREATE INDEX "payments_by_date" ON "analytics_revenue_transactions" USING btree ("contractor_id","date") WHERE type = 'payment_received';--> statement-breakpoint
CREATE INDEX "transactions_by_invoice" ON "analytics_revenue_transactions" USING btree ("invoice_id");--> statement-breakpoint
CREATE UNIQUE INDEX "users_source" ON "users" USING btree ("contractor_id","source_reference");--> statement-breakpoint
CREATE INDEX "users_walk" ON "users" USING btree ("contractor_id","updated_at","id") WHERE owns_project;--> statement-breakpoint
CREATE INDEX "users_email" ON "users" USING btree ("contractor_id","email");--> statement-breakpoint
CREATE INDEX "users_phone" ON "users" USING btree ("contractor_id","phone");