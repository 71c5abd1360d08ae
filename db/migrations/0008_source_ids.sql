-- What a program knows a customer by, where its other files know only the name: a new name does not make another customer.
ALTER TABLE "users" ADD COLUMN "source_id" text;--> statement-breakpoint
CREATE INDEX "users_source_id" ON "users" USING btree ("contractor_id","source_id") WHERE source_id is not null;
