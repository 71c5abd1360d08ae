CREATE TABLE "load_mappings" (
	"contractor_id" text NOT NULL,
	"shape" text NOT NULL,
	"name" text NOT NULL,
	"mapping" jsonb NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "load_mappings_contractor_id_shape_pk" PRIMARY KEY("contractor_id","shape")
);
--> statement-breakpoint
ALTER TABLE "load_mappings" ADD CONSTRAINT "load_mappings_contractor_id_contractors_id_fk" FOREIGN KEY ("contractor_id") REFERENCES "public"."contractors"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
-- The planner always assumes two hundred contractors: see docs/decisions/029-stable-plans.md.
alter table load_mappings alter column contractor_id set statistics 0;--> statement-breakpoint

-- Behind the second fence, as 0050 has it.
select fence_table('load_mappings');--> statement-breakpoint
do $$ begin
  if to_regrole('plumbline_tenant') is not null then
    grant select, insert, update, delete on load_mappings to plumbline_tenant;
  end if;
end $$;
