ALTER TABLE "invitations" ALTER COLUMN "invited_by" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "issued_to" text;--> statement-breakpoint
CREATE INDEX "audit_events_refused" ON "audit_events" USING btree ("at") WHERE event = 'sign_in_refused';--> statement-breakpoint
-- Accounts that were set up with an administrator's link: that the address belongs to whoever did so was never shown.
update people p set email_verified = false
  where exists (select 1 from invitations i where i.email = p.email and i.accepted_at is not null)
    and not exists (select 1 from audit_events a where a.event = 'person_made' and lower(trim(a.subject)) = p.email
      and a.at between p.created_at - interval '1 minute' and p.created_at + interval '1 minute');
