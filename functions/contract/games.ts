/** A game's configuration. */
import { z } from "zod";
import { DEFAULT_BADGES } from "../domain/badges.ts";
import { MAX_POINTS } from "../domain/score.ts";
import { Game, Points } from "./primitives.ts";

export const BadgeThreshold = z
  .strictObject({
    badge: z
      .string()
      .regex(/^[a-z0-9-]{1,32}$/)
      .meta({ example: "bronze" }),
    threshold: Points.meta({ description: "Points in one submission that earn the badge.", example: 1000 }),
  })
  .meta({ id: "BadgeThreshold" });

const badgeList = z
  .array(BadgeThreshold)
  .max(20)
  .refine((badges) => new Set(badges.map((b) => b.badge)).size === badges.length, "must not name a badge twice");

/** What PUT takes; a field that is left out gets its default. */
export const GameRequest = z
  .strictObject({
    badges: badgeList.default([...DEFAULT_BADGES]),
    feedLength: z.int().min(10).max(100_000).default(1_000),
    maxPoints: Points.default(MAX_POINTS).meta({ description: "Submissions with more points are refused." }),
  })
  .meta({ id: "GameRequest" });
export type GameConfig = z.infer<typeof GameRequest>;

export const GameResponse = z
  .object({ game: Game, badges: badgeList, feedLength: z.int(), maxPoints: Points })
  .meta({ id: "GameResponse" });
