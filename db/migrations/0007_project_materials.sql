CREATE TABLE "project_materials" (
	"id" text PRIMARY KEY NOT NULL,
	"contractor_id" text NOT NULL,
	"source_reference" text,
	"project_id" text NOT NULL,
	"item_key" text NOT NULL,
	"name" text,
	"unit" text,
	"quantity" numeric(12, 3) NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT date_trunc('milliseconds', clock_timestamp()) NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT date_trunc('milliseconds', clock_timestamp()) NOT NULL
);
--> statement-breakpoint
ALTER TABLE "project_materials" ADD CONSTRAINT "project_materials_contractor_id_contractors_id_fk" FOREIGN KEY ("contractor_id") REFERENCES "public"."contractors"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "project_materials" ADD CONSTRAINT "project_materials_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "project_materials_source" ON "project_materials" USING btree ("contractor_id","source_reference");--> statement-breakpoint
CREATE INDEX "project_materials_by_project" ON "project_materials" USING btree ("project_id");--> statement-breakpoint
-- `updated_at` moves with every real change, as in the other tables.
create trigger touch before update on project_materials for each row execute function touch();
