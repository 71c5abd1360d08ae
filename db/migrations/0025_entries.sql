CREATE TABLE "project_entries" (
	"id" text PRIMARY KEY NOT NULL,
	"contractor_id" text NOT NULL,
	"project_id" text NOT NULL,
	"kind" text NOT NULL,
	"text" text,
	"follow_up_on" date,
	"replaces" text,
	"author" text NOT NULL,
	"idempotency_key" text NOT NULL,
	"author_kind" text NOT NULL,
	"author_name" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"undone_at" timestamp (3) with time zone,
	"undone_by" text
);
--> statement-breakpoint
ALTER TABLE "project_entries" ADD CONSTRAINT "project_entries_contractor_id_contractors_id_fk" FOREIGN KEY ("contractor_id") REFERENCES "public"."contractors"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "project_entries" ADD CONSTRAINT "project_entries_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "project_entries_once" ON "project_entries" USING btree ("contractor_id","author","idempotency_key");--> statement-breakpoint
CREATE INDEX "project_entries_project" ON "project_entries" USING btree ("contractor_id","project_id","kind","created_at","id");--> statement-breakpoint
CREATE INDEX "project_entries_undone" ON "project_entries" USING btree ("undone_at") WHERE undone_at is not null;--> statement-breakpoint
alter table project_entries add constraint project_entries_kind check (kind in ('note', 'follow_up'));--> statement-breakpoint

-- Behind the second fence. Every start grants what is missing; a version that serves meanwhile must be able to write behind it already.
select fence_table('project_entries');--> statement-breakpoint
do $$ begin
  if to_regrole('plumbline_tenant') is not null then
    grant select, insert, update, delete on project_entries to plumbline_tenant;
  end if;
end $$;
