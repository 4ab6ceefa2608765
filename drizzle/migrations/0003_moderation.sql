CREATE TABLE "corrections" (
	"game" text collate "C" NOT NULL,
	"player" text collate "C" NOT NULL,
	"weeks" jsonb NOT NULL,
	"forget" boolean NOT NULL,
	"submissions" uuid[] DEFAULT '{}' NOT NULL,
	"at" timestamp with time zone NOT NULL,
	CONSTRAINT "corrections_pk" PRIMARY KEY("game","player")
);
--> statement-breakpoint
CREATE TABLE "moderation_log" (
	"id" uuid DEFAULT uuidv7() NOT NULL,
	"game" text collate "C" NOT NULL,
	"action" text NOT NULL,
	"player" text collate "C",
	"submission_id" uuid,
	"by" text NOT NULL,
	"detail" jsonb,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "moderation_log_pk" PRIMARY KEY("game","id")
);
--> statement-breakpoint
ALTER TABLE "games" ADD COLUMN "max_improvement" bigint;--> statement-breakpoint
ALTER TABLE "games" ADD COLUMN "limit_submissions" integer;--> statement-breakpoint
ALTER TABLE "games" ADD COLUMN "limit_seconds" integer;--> statement-breakpoint
ALTER TABLE "games" ADD COLUMN "signing" text DEFAULT 'nobody' NOT NULL;--> statement-breakpoint
ALTER TABLE "games" ADD COLUMN "signing_key" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "games" ADD COLUMN "signing_key_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "players" ADD COLUMN "deleted_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "players" ADD COLUMN "window_started_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "players" ADD COLUMN "window_submissions" integer;--> statement-breakpoint
ALTER TABLE "submissions" ADD COLUMN "state" text DEFAULT 'ranked' NOT NULL;--> statement-breakpoint
CREATE INDEX "players_deleted" ON "players" USING btree ("deleted_at") WHERE "players"."deleted_at" is not null;--> statement-breakpoint
CREATE INDEX "submissions_held" ON "submissions" USING btree ("game","id") WHERE "submissions"."state" = 'held';--> statement-breakpoint
ALTER TABLE "games" ADD CONSTRAINT "games_signing_known" CHECK ("games"."signing" in ('nobody', 'players', 'everyone'));--> statement-breakpoint
ALTER TABLE "games" ADD CONSTRAINT "games_limit_whole" CHECK (("games"."limit_submissions" is null) = ("games"."limit_seconds" is null));--> statement-breakpoint
ALTER TABLE "submissions" ADD CONSTRAINT "submissions_state_known" CHECK ("submissions"."state" in ('ranked', 'held', 'rejected', 'removed'));