ALTER TABLE "games" ADD COLUMN "shards" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "games" ADD CONSTRAINT "games_shards_range" CHECK ("games"."shards" between 1 and 64);