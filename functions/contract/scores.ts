/** POST /scores and POST /scores/batch. */
import { z } from "zod";
import { Problem } from "./problem.ts";
import {
  Country,
  Game,
  IdempotencyKey,
  Instant,
  NamedPlayer,
  Player,
  Points,
  Rank,
  Week,
  orNull,
} from "./primitives.ts";

export const MAX_BATCH = 1_000;

/** What the document's `date-time` (RFC 3339) is, and ISO 8601 need not be. */
const WITH_SECONDS = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/;

const submittedAt = z.iso
  .datetime({ offset: true, abort: true })
  .max(40)
  .refine((text) => WITH_SECONDS.test(text), "must be a time with seconds, such as 2026-10-14T18:03:11Z")
  .meta({
    description: "When the points were earned; for keys with the `backdate` scope: up to 35 days back, 60 s ahead.",
    example: "2026-10-14T18:03:11Z",
    pattern: WITH_SECONDS.source,
  });

export const ScoreRequest = z
  .strictObject({
    player: NamedPlayer,
    points: Points,
    country: orNull(Country, "must be a two-letter code, or null")
      .optional()
      .meta({
        description:
          "Null: none. Left out: none, or with a player token the country that the request came from. " +
          "A player counts for the first five different countries of a week; from a sixth they stay where they are.",
      }),
    submittedAt: submittedAt.optional(),
  })
  .meta({ id: "ScoreRequest" });
export type ScoreRequest = z.infer<typeof ScoreRequest>;

export const AllTimeStanding = z
  .object({ improved: z.boolean(), best: orNull(Points), rank: orNull(Rank) })
  .meta({ id: "AllTimeStanding" });

export const ScoreResponse = z
  .object({
    submissionId: z.uuid().meta({
      description: "The submission's id, made by the server.",
      example: "019ade3c-6d3f-7a31-8f5d-0c6f0f6f9d11",
    }),
    game: Game,
    player: Player,
    points: Points,
    submittedAt: Instant,
    week: Week,
    country: orNull(Country),
    improved: z.boolean().meta({ description: "Whether this submission raised the player's best of the week." }),
    best: orNull(Points).meta({
      description: "The player's best of the week; null only while `held`, when there is no other result.",
    }),
    previousBest: orNull(Points),
    rank: orNull(Rank).meta({ description: "The place this submission produced; null when not ranked yet." }),
    boardSize: z.int().nullable(),
    countryRank: orNull(Rank),
    allTime: AllTimeStanding,
    resetsAt: Instant,
    ranked: z.boolean().meta({
      description:
        "False: durable, but not on the board yet; the service ranks it by itself. Also without places, and nothing left " +
        "to do: a retry, among many in a batch, for a week that ended more than 35 days ago.",
    }),
    held: z.literal(true).optional().meta({
      description: "Only when true: the submission waits for review and is on no board until it is released.",
    }),
    replayed: z.boolean().meta({ description: "True: this idempotency key was accepted before." }),
  })
  .meta({ id: "ScoreResponse" });
export type ScoreResponse = z.infer<typeof ScoreResponse>;

export const BatchItem = ScoreRequest.extend({ idempotencyKey: IdempotencyKey.optional() }).meta({ id: "BatchItem" });

/** Items are parsed one by one, so that a bad one does not hurt the others. */
export const BatchRequest = z
  .strictObject({
    submissions: z
      .array(z.unknown())
      .min(1)
      .max(MAX_BATCH)
      .meta({
        description:
          "Each as the body of a single submission, with an `idempotencyKey` if it has one. They are judged one by one: a bad one " +
          "has a problem as its result, and the others count.",
      }),
  })
  .meta({ id: "BatchRequest" });

export const BatchResponse = z
  .object({ results: z.array(z.union([ScoreResponse, Problem])) })
  .meta({ id: "BatchResponse" });
