/** What moderators see: submissions that wait for review, and everything that is stored about a player. */
import { z } from "zod";
import { Badge } from "./players.ts";
import { Country, countParameter, Game, Instant, Player, Points, Week, orNull } from "./primitives.ts";

export const MAX_HELD = 100;
export const MAX_EXPORT = 1_000;

export const SubmissionId = z
  .guid("must be a UUID")
  .meta({ format: "uuid", example: "019ade3c-6d3f-7a31-8f5d-0c6f0f6f9d11" });

const after = SubmissionId.optional().meta({ description: "`next` of the page before." });

export const HeldQuery = z.strictObject({
  n: countParameter(1, MAX_HELD, 20, `Submissions of the page, at most ${MAX_HELD}.`),
  cursor: after,
});

export const Held = z
  .object({
    submissionId: SubmissionId,
    player: Player,
    points: Points,
    best: orNull(Points).meta({ description: "The player's best of all time; null without one." }),
    week: Week,
    country: orNull(Country),
    submittedAt: Instant,
  })
  .meta({ id: "Held" });
export type Held = z.infer<typeof Held>;

export const HeldResponse = z
  .object({ held: z.array(Held), next: SubmissionId.nullable() })
  .meta({ id: "HeldResponse" });

/** Of a ban that waits for its player. */
export const BanNoted = z
  .object({
    player: Player,
    known: z.literal(false).meta({ description: "The game has no submission of this player." }),
    detail: z.string().meta({ description: "The same, in a sentence that may be shown." }),
  })
  .meta({ id: "BanNoted" });

export const ExportQuery = z.strictObject({ cursor: after });

export const PlayerExport = z
  .object({
    game: Game,
    player: Player,
    createdAt: Instant,
    bannedAt: orNull(Instant),
    bests: z.array(
      z.object({
        board: z.string().meta({ description: "A week, or `all-time`.", example: "2026-W42" }),
        points: Points,
        achievedAt: Instant,
        submissionId: SubmissionId,
        country: z.string().nullable(),
        leftCountries: z.array(z.string()),
      }),
    ),
    entries: z
      .array(
        z.object({
          board: z
            .string()
            .meta({ description: "The key of a board that the game defined.", example: "laps.2026-10-14" }),
          achievedAt: Instant,
          submissionId: SubmissionId.meta({
            description: "The submission whose values are the entry's, or came to its total last.",
          }),
          segments: z.record(z.string(), z.string()),
          leftSegments: z.record(z.string(), z.array(z.string())),
        }),
      )
      .meta({ description: "On boards that the game defined." }),
    badges: z.array(Badge),
    submissions: z.array(
      z.object({
        submissionId: SubmissionId,
        idempotencyKey: z.string(),
        points: orNull(Points),
        values: z.record(z.string(), z.number()).nullable(),
        keys: z.record(z.string(), z.string()).nullable(),
        segments: z.record(z.string(), z.string()).nullable(),
        metadata: z.record(z.string(), z.unknown()).nullable(),
        country: z.string().nullable(),
        week: Week,
        state: z.enum(["ranked", "held", "rejected", "removed"]),
        submittedAt: Instant,
        receivedAt: Instant,
      }),
    ),
    next: SubmissionId.nullable().meta({ description: "Cursor of the next page of submissions; null on the last." }),
  })
  .meta({ id: "PlayerExport" });
export type PlayerExport = z.infer<typeof PlayerExport>;

export const SigningKeyResponse = z
  .object({
    key: z.int().min(1).meta({ description: "Number of the secret: the first part of a signature.", example: 1 }),
    secret: z.string().meta({ description: "Shown now and never again." }),
  })
  .meta({ id: "SigningKeyResponse" });
