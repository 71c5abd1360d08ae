-- A source whose sender signs what it sends: its secret must be read again to check a signature, so it is sealed (lib/core/seal.ts).
ALTER TABLE "lead_source_secrets" ALTER COLUMN "secret_hash" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "lead_source_secrets" ADD COLUMN "sealed" text;--> statement-breakpoint
ALTER TABLE "lead_source_secrets" ADD CONSTRAINT "lead_source_secrets_one" CHECK (secret_hash is not null or sealed is not null);--> statement-breakpoint
-- The only source that a key for URLs sends to. Keys made before have none, and work no longer.
ALTER TABLE "api_keys" ADD COLUMN "lead_source" text;
