ALTER TABLE "api_keys" ADD COLUMN "instead_of_address" boolean DEFAULT false NOT NULL;
