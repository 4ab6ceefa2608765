CREATE TABLE "api_keys" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"game" text collate "C" NOT NULL,
	"prefix" text collate "C" NOT NULL,
	"hash" text NOT NULL,
	"scopes" text[] NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"revoked_at" timestamp with time zone,
	CONSTRAINT "api_keys_prefix" UNIQUE("prefix"),
	CONSTRAINT "api_keys_scopes_known" CHECK ("api_keys"."scopes" <@ array['submit','backdate','admin'])
);
--> statement-breakpoint
CREATE TABLE "badges" (
	"game" text collate "C" NOT NULL,
	"player" text collate "C" NOT NULL,
	"badge" text NOT NULL,
	"threshold" bigint NOT NULL,
	"points" bigint NOT NULL,
	"submission_id" uuid NOT NULL,
	"awarded_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "badges_pk" PRIMARY KEY("game","player","badge")
);
--> statement-breakpoint
CREATE TABLE "bests" (
	"game" text collate "C" NOT NULL,
	"board" text collate "C" NOT NULL,
	"player" text collate "C" NOT NULL,
	"points" bigint NOT NULL,
	"achieved_at" timestamp with time zone NOT NULL,
	"submission_id" uuid NOT NULL,
	"country" text,
	"left_countries" text[] DEFAULT '{}' NOT NULL,
	CONSTRAINT "bests_pk" PRIMARY KEY("game","board","player"),
	CONSTRAINT "bests_points_range" CHECK ("bests"."points" between 0 and 8589934591),
	CONSTRAINT "bests_achieved_at_whole_second" CHECK (extract(microseconds from "bests"."achieved_at")::bigint % 1000000 = 0)
);
--> statement-breakpoint
CREATE TABLE "games" (
	"game" text collate "C" PRIMARY KEY NOT NULL,
	"badges" jsonb NOT NULL,
	"feed_length" integer NOT NULL,
	"max_points" bigint NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "games_game_form" CHECK ("games"."game" ~ '^[a-z0-9-]{1,32}$'),
	CONSTRAINT "games_feed_length_positive" CHECK ("games"."feed_length" > 0),
	CONSTRAINT "games_max_points_range" CHECK ("games"."max_points" between 0 and 8589934591)
);
--> statement-breakpoint
CREATE TABLE "players" (
	"game" text collate "C" NOT NULL,
	"player" text collate "C" NOT NULL,
	"display_name" text,
	"country" text,
	"banned_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "players_pk" PRIMARY KEY("game","player")
);
--> statement-breakpoint
CREATE TABLE "reconciliations" (
	"game" text collate "C" PRIMARY KEY NOT NULL,
	"verified_until" uuid NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "submissions" (
	"id" uuid DEFAULT uuidv7() NOT NULL,
	"game" text collate "C" NOT NULL,
	"player" text collate "C" NOT NULL,
	"idempotency_key" text collate "C" NOT NULL,
	"request" text NOT NULL,
	"points" bigint NOT NULL,
	"country" text,
	"week" text NOT NULL,
	"submitted_at" timestamp with time zone NOT NULL,
	"received_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "submissions_pk" PRIMARY KEY("game","id"),
	CONSTRAINT "submissions_once" UNIQUE("game","player","idempotency_key"),
	CONSTRAINT "submissions_points_range" CHECK ("submissions"."points" between 0 and 8589934591)
);
--> statement-breakpoint
CREATE INDEX "bests_order" ON "bests" USING btree ("game","board","points" DESC NULLS FIRST,"achieved_at","player" DESC NULLS FIRST);