CREATE TABLE "service_checks" (
	"hour" timestamp (3) with time zone NOT NULL,
	"part" text NOT NULL,
	"checks" integer NOT NULL,
	"faults" integer NOT NULL,
	CONSTRAINT "service_checks_pk" PRIMARY KEY("hour","part")
);
