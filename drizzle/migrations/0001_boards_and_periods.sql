CREATE TABLE "boards" (
	"game" text collate "C" NOT NULL,
	"name" text collate "C" NOT NULL,
	"board" text collate "C" NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL,
	"rule" jsonb NOT NULL,
	"schedules" jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp with time zone,
	CONSTRAINT "boards_pk" PRIMARY KEY("game","name"),
	CONSTRAINT "boards_board_form" CHECK ("boards"."board" ~ '^[a-z][a-z0-9-]{0,31}$'),
	CONSTRAINT "boards_name_form" CHECK ("boards"."name" ~ '^[a-z][a-z0-9-]{0,31}(#[0-9]+)?$')
);
--> statement-breakpoint
CREATE TABLE "periods" (
	"game" text collate "C" NOT NULL,
	"board" text collate "C" NOT NULL,
	"period" text collate "C" NOT NULL,
	"starts_at" timestamp with time zone NOT NULL,
	"ends_at" timestamp with time zone NOT NULL,
	"closes_at" timestamp with time zone NOT NULL,
	"unit_ms" integer NOT NULL,
	"state" text DEFAULT 'open' NOT NULL,
	CONSTRAINT "periods_pk" PRIMARY KEY("game","board","period"),
	CONSTRAINT "periods_state_known" CHECK ("periods"."state" in ('open', 'closing', 'closed', 'final')),
	CONSTRAINT "periods_bounds" CHECK ("periods"."starts_at" < "periods"."ends_at" and "periods"."ends_at" <= "periods"."closes_at"),
	CONSTRAINT "periods_unit_positive" CHECK ("periods"."unit_ms" > 0)
);
--> statement-breakpoint
ALTER TABLE "games" ADD COLUMN "boards" jsonb;--> statement-breakpoint
CREATE UNIQUE INDEX "boards_defined" ON "boards" USING btree ("game","board") WHERE "boards"."deleted_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "periods_start" ON "periods" USING btree ("game","board","starts_at");