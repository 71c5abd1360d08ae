CREATE TABLE "permit_contractors" (
	"jurisdiction_id" text NOT NULL,
	"contractor_key" text NOT NULL,
	"company_name" text NOT NULL,
	CONSTRAINT "permit_contractors_jurisdiction_id_contractor_key_pk" PRIMARY KEY("jurisdiction_id","contractor_key")
);
--> statement-breakpoint
CREATE TABLE "permit_jurisdictions" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"state" text NOT NULL,
	"source_name" text,
	"source_link" text,
	"licence" text,
	"note" text,
	"loaded_at" timestamp (3) with time zone,
	"permits" integer DEFAULT 0 NOT NULL,
	"with_applied" integer DEFAULT 0 NOT NULL,
	"with_issued" integer DEFAULT 0 NOT NULL,
	"with_both" integer DEFAULT 0 NOT NULL,
	"with_coordinates" integer DEFAULT 0 NOT NULL,
	"with_status" integer DEFAULT 0 NOT NULL,
	"with_cost" integer DEFAULT 0 NOT NULL,
	"with_contractor" integer DEFAULT 0 NOT NULL,
	"first_applied" date,
	"last_applied" date,
	"first_issued" date,
	"last_issued" date,
	"permit_types" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"work_classes" jsonb DEFAULT '[]'::jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "permits" (
	"id" text PRIMARY KEY NOT NULL,
	"jurisdiction_id" text NOT NULL,
	"permit_num" text NOT NULL,
	"description" text,
	"applied_date" date,
	"issued_date" date,
	"completed_date" date,
	"status_current" text,
	"status_current_mapped" text,
	"original_address1" text,
	"original_city" text,
	"original_state" text,
	"original_zip" text,
	"permit_class" text,
	"permit_class_mapped" text,
	"permit_type" text,
	"permit_type_mapped" text,
	"permit_type_desc" text,
	"work_class" text,
	"work_class_mapped" text,
	"est_project_cost" numeric(14, 2),
	"fee" numeric(14, 2),
	"contractor_company_name" text,
	"latitude" double precision,
	"longitude" double precision,
	"link" text,
	"street_key" text,
	"house_number" integer,
	"contractor_key" text,
	"dated_on" date GENERATED ALWAYS AS (coalesce(applied_date, issued_date)) STORED NOT NULL,
	"types" text[] GENERATED ALWAYS AS (array_remove(array[lower(permit_type), lower(permit_type_mapped), lower(permit_type_desc)], null)) STORED,
	"classes" text[] GENERATED ALWAYS AS (array_remove(array[lower(permit_class), lower(permit_class_mapped)], null)) STORED,
	"works" text[] GENERATED ALWAYS AS (array_remove(array[lower(work_class), lower(work_class_mapped)], null)) STORED,
	"words" "tsvector" GENERATED ALWAYS AS (to_tsvector('english'::regconfig, coalesce(description, '') || ' ' || coalesce(permit_type_desc, '') || ' ' || coalesce(permit_class, '') || ' ' || coalesce(work_class, ''))) STORED,
	"place" "point" GENERATED ALWAYS AS (case when abs(latitude) <= 85 then point(radians(longitude), ln(tan(pi() / 4 + radians(latitude) / 2))) end) STORED,
	"created_at" timestamp (3) with time zone DEFAULT date_trunc('milliseconds', clock_timestamp()) NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT date_trunc('milliseconds', clock_timestamp()) NOT NULL
);
--> statement-breakpoint
ALTER TABLE "permit_contractors" ADD CONSTRAINT "permit_contractors_jurisdiction_id_permit_jurisdictions_id_fk" FOREIGN KEY ("jurisdiction_id") REFERENCES "public"."permit_jurisdictions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "permits" ADD CONSTRAINT "permits_jurisdiction_id_permit_jurisdictions_id_fk" FOREIGN KEY ("jurisdiction_id") REFERENCES "public"."permit_jurisdictions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "permit_contractors_by_key" ON "permit_contractors" USING btree ("contractor_key" text_pattern_ops);--> statement-breakpoint
CREATE UNIQUE INDEX "permits_number" ON "permits" USING btree ("jurisdiction_id","permit_num");--> statement-breakpoint
CREATE INDEX "permits_by_day" ON "permits" USING btree ("dated_on","id");--> statement-breakpoint
CREATE INDEX "permits_of_jurisdiction_by_day" ON "permits" USING btree ("jurisdiction_id","dated_on","id");--> statement-breakpoint
CREATE INDEX "permits_by_street" ON "permits" USING btree ("street_key" text_pattern_ops,"house_number");--> statement-breakpoint
CREATE INDEX "permits_by_contractor" ON "permits" USING btree ("contractor_key","dated_on");--> statement-breakpoint
CREATE INDEX "permits_by_type" ON "permits" USING gin ("types");--> statement-breakpoint
CREATE INDEX "permits_by_word" ON "permits" USING gin ("words");--> statement-breakpoint
CREATE INDEX "permits_by_place" ON "permits" USING gist ("place");--> statement-breakpoint
create trigger touch before update on permits for each row execute function touch();
