CREATE TABLE "key_addresses" (
	"contractor_id" text NOT NULL,
	"key_id" text NOT NULL,
	"address" text NOT NULL,
	"requests" bigint NOT NULL,
	"used_at" timestamp (3) with time zone,
	"refused_at" timestamp (3) with time zone,
	CONSTRAINT "key_addresses_pk" PRIMARY KEY("contractor_id","key_id","address")
);
--> statement-breakpoint
CREATE TABLE "request_log" (
	"id" uuid PRIMARY KEY NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"contractor_id" text,
	"key_id" text,
	"method" text NOT NULL,
	"path" text NOT NULL,
	"query" text,
	"endpoint" text NOT NULL,
	"mcp_method" text,
	"status" smallint NOT NULL,
	"error_code" text,
	"address" text NOT NULL,
	"duration_ms" real NOT NULL,
	"user_agent" text
);
--> statement-breakpoint
CREATE TABLE "request_sums" (
	"contractor_id" text NOT NULL,
	"hour" timestamp (3) with time zone NOT NULL,
	"key_id" text NOT NULL,
	"endpoint" text NOT NULL,
	"face" text NOT NULL,
	"status_class" smallint NOT NULL,
	"requests" integer NOT NULL,
	"errors" integer NOT NULL,
	"limited" integer NOT NULL,
	"duration_ms" double precision NOT NULL,
	CONSTRAINT "request_sums_pk" PRIMARY KEY("contractor_id","hour","key_id","endpoint","face","status_class")
);
--> statement-breakpoint
CREATE INDEX "request_log_walk" ON "request_log" USING btree ("contractor_id","at","id");--> statement-breakpoint
CREATE INDEX "request_log_errors" ON "request_log" USING btree ("contractor_id",(status / 100),"at","id") WHERE status >= 400;--> statement-breakpoint
CREATE INDEX "request_log_key" ON "request_log" USING btree ("contractor_id","key_id","at","id") WHERE key_id is not null;--> statement-breakpoint
CREATE INDEX "request_log_endpoint" ON "request_log" USING btree ("contractor_id","endpoint","at","id");