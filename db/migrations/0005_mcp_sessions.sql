CREATE TABLE "mcp_sessions" (
	"id" text PRIMARY KEY NOT NULL,
	"contractor_id" text NOT NULL,
	"key_lineage" text NOT NULL,
	"protocol_version" text NOT NULL,
	"client_name" text,
	"client_version" text,
	"client_capabilities" jsonb,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"seen_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "lineage" text;--> statement-breakpoint
CREATE INDEX "mcp_sessions_live" ON "mcp_sessions" USING btree ("key_lineage","seen_at") WHERE ended_at is null;--> statement-breakpoint
CREATE INDEX "mcp_sessions_age" ON "mcp_sessions" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "api_keys_lineage" ON "api_keys" USING btree ("lineage");