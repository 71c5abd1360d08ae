CREATE TABLE "sso_identities" (
	"contractor_id" text NOT NULL,
	"issuer" text NOT NULL,
	"subject" text NOT NULL,
	"person_id" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"used_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "sso_identities_pk" PRIMARY KEY("contractor_id","issuer","subject")
);
--> statement-breakpoint
CREATE TABLE "sso_providers" (
	"contractor_id" text PRIMARY KEY NOT NULL,
	"issuer" text NOT NULL,
	"client_id" text NOT NULL,
	"sealed_secret" text NOT NULL,
	"domains" text[] NOT NULL,
	"join_role" text,
	"required" boolean DEFAULT false NOT NULL,
	"proven_at" timestamp (3) with time zone,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "invitations" ADD COLUMN "mail_token_hash" text;--> statement-breakpoint
ALTER TABLE "invitations" ADD COLUMN "message_id" text;--> statement-breakpoint
ALTER TABLE "outgoing_messages" ADD COLUMN "about" jsonb;--> statement-breakpoint
ALTER TABLE "person_sessions" ADD COLUMN "only_contractor" text;--> statement-breakpoint
ALTER TABLE "sso_identities" ADD CONSTRAINT "sso_identities_contractor_id_contractors_id_fk" FOREIGN KEY ("contractor_id") REFERENCES "public"."contractors"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sso_identities" ADD CONSTRAINT "sso_identities_person_id_people_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."people"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sso_providers" ADD CONSTRAINT "sso_providers_contractor_id_contractors_id_fk" FOREIGN KEY ("contractor_id") REFERENCES "public"."contractors"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "sso_identities_person" ON "sso_identities" USING btree ("person_id");--> statement-breakpoint
ALTER TABLE "person_sessions" ADD CONSTRAINT "person_sessions_only_contractor_contractors_id_fk" FOREIGN KEY ("only_contractor") REFERENCES "public"."contractors"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "outgoing_messages_address" ON "outgoing_messages" USING btree ("to_address","created_at") WHERE about is not null;--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_mail_token_hash_unique" UNIQUE("mail_token_hash");--> statement-breakpoint
-- The planner always assumes two hundred contractors: see docs/decisions/029-stable-plans.md.
alter table sso_identities alter column contractor_id set statistics 0;--> statement-breakpoint

-- Behind the second fence, as 0050 has it.
select fence_table('sso_providers');--> statement-breakpoint
select fence_table('sso_identities');--> statement-breakpoint
do $$ begin
  if to_regrole('plumbline_tenant') is not null then
    grant select, insert, update, delete on sso_providers, sso_identities to plumbline_tenant;
  end if;
end $$;
