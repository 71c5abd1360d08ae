CREATE TABLE "saved_filters" (
	"id" text PRIMARY KEY NOT NULL,
	"contractor_id" text NOT NULL,
	"person_id" text NOT NULL,
	"name" text NOT NULL,
	"query" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "saved_filters_name" UNIQUE("contractor_id","person_id","name")
);
--> statement-breakpoint
ALTER TABLE "request_log" ADD COLUMN "error_message" text;--> statement-breakpoint
ALTER TABLE "request_log" ADD COLUMN "error_fields" text[];--> statement-breakpoint
ALTER TABLE "saved_filters" ADD CONSTRAINT "saved_filters_contractor_id_contractors_id_fk" FOREIGN KEY ("contractor_id") REFERENCES "public"."contractors"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "saved_filters" ADD CONSTRAINT "saved_filters_person_id_people_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."people"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "audit_events_key" ON "audit_events" USING btree ("subject") WHERE event = 'key_created';--> statement-breakpoint
CREATE INDEX "lead_deliveries_request" ON "lead_deliveries" USING btree ("contractor_id","request_id");--> statement-breakpoint

-- Behind the second fence. Every start grants what is missing; a version that serves meanwhile must be able to write behind it already.
select fence_table('saved_filters');--> statement-breakpoint
do $$ begin
  if to_regrole('plumbline_tenant') is not null then
    grant select, insert, update, delete on saved_filters to plumbline_tenant;
  end if;
end $$;
