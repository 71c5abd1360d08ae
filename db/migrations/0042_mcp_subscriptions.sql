ALTER TABLE "mcp_sessions" ADD COLUMN "subscriptions" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "mcp_sessions" ADD COLUMN "stream_id" text;