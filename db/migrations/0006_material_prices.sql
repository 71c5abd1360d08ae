CREATE TABLE "material_prices" (
	"id" text PRIMARY KEY NOT NULL,
	"contractor_id" text NOT NULL,
	"source_reference" text,
	"item_key" text NOT NULL,
	"name" text NOT NULL,
	"trade" text,
	"unit" text NOT NULL,
	"unit_cost" numeric(14, 2) NOT NULL,
	"currency" text NOT NULL,
	"supplier" text,
	"region" text,
	"observed_on" date NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT date_trunc('milliseconds', clock_timestamp()) NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT date_trunc('milliseconds', clock_timestamp()) NOT NULL
);
--> statement-breakpoint
ALTER TABLE "material_prices" ADD CONSTRAINT "material_prices_contractor_id_contractors_id_fk" FOREIGN KEY ("contractor_id") REFERENCES "public"."contractors"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "material_prices_source" ON "material_prices" USING btree ("contractor_id","source_reference");--> statement-breakpoint
CREATE INDEX "material_prices_by_item" ON "material_prices" USING btree ("contractor_id","item_key","observed_on");--> statement-breakpoint
ALTER TABLE "material_prices" ADD CONSTRAINT "material_prices_cost" CHECK ("unit_cost" > 0);--> statement-breakpoint
create trigger touch before update on material_prices for each row execute function touch();
