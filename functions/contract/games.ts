/** A game's configuration. */
import { z } from "zod";
import { DEFAULT_BADGES } from "../domain/badges.ts";
import { MAX_POINTS } from "../domain/board/score.ts";
import { MAX_SHARDS } from "./live.ts";
import { Game, Points, integer, orNull } from "./primitives.ts";

export const BadgeThreshold = z
  .strictObject({
    badge: z
      .string()
      .regex(/^[a-z0-9-]{1,32}$/, "must be 1–32 of a–z, 0–9 and -")
      .meta({ example: "bronze" }),
    threshold: Points.meta({ description: "Points in one submission that earn the badge.", example: 1000 }),
  })
  .meta({ id: "BadgeThreshold" });

const badgeList = z
  .array(BadgeThreshold)
  .max(20)
  .refine((badges) => new Set(badges.map((b) => b.badge)).size === badges.length, "must not name a badge twice");

const Limits = z
  .strictObject({
    perPlayer: z
      .strictObject({ submissions: integer(1, 100_000), seconds: integer(1, 86_400) })
      .nullable()
      .default(null)
      .meta({
        description: "At most so many submissions in a window of so many seconds, which starts with the first one.",
        example: { submissions: 30, seconds: 60 },
      }),
  })
  .meta({ id: "Limits" });

/** What PUT takes; a field that is left out gets its default. */
export const GameRequest = z
  .strictObject({
    badges: badgeList.default([...DEFAULT_BADGES]),
    feedLength: integer(10, 100_000).default(1_000),
    maxPoints: Points.default(MAX_POINTS).meta({ description: "Submissions with more points are refused." }),
    maxImprovement: orNull(Points, "must be an integer, or null")
      .default(null)
      .meta({
        description:
          "A submission that raises the player's best of all time (0 without one) by more is held for review; " +
          "null: none is.",
      }),
    limits: Limits.default({ perPlayer: null }),
    signing: z.enum(["nobody", "players", "everyone"]).default("nobody").meta({
      description:
        "Whose submissions have to be signed: nobody's, those with a player token, or all (then no batches).",
    }),
    defaultBoards: z
      .literal(true, "must be true: the boards of every game cannot be switched off yet")
      .optional()
      .meta({
        description: "Whether the game has the boards of every game.",
      }),
    shards: integer(1, MAX_SHARDS).default(1).meta({
      description:
        "Rooms that share the viewers of a week, one for every 10,000. Within a week rooms are added, never taken away.",
    }),
  })
  .meta({ id: "GameRequest" });
export type GameConfig = Omit<z.infer<typeof GameRequest>, "defaultBoards">;

export const GameResponse = z
  .object({
    game: Game,
    badges: badgeList,
    feedLength: z.int(),
    maxPoints: Points,
    maxImprovement: orNull(Points).optional().meta({ description: "Only for administrators: cheaters read too." }),
    limits: Limits,
    signing: z.enum(["nobody", "players", "everyone"]),
    shards: z.int(),
  })
  .meta({ id: "GameResponse" });
