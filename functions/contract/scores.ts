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
import { BOARD, SEGMENT, SegmentName, STATISTIC, Statistic } from "./board-definitions.ts";
import { BoardKey, SegmentValue } from "./board-words.ts";
import { KnownBoardId } from "./defined-boards.ts";

export const MAX_BATCH = 1_000;
/** Statistics of one submission. */
const MOST_VALUES = 16;
const MOST_SEGMENTS = 8;
/** Boards of one submission that its game defined: each is a row of Postgres and some commands of Redis. */
export const MOST_BOARDS_FED = 8;

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

const Values = z
  .record(Statistic, z.number())
  .refine((values) => Object.keys(values).length <= MOST_VALUES, `must have at most ${MOST_VALUES} statistics`)
  .meta({
    description: `Named numbers, at most ${MOST_VALUES}: what boards that the game defined rank. Each board says which one it takes and in which bounds.`,
    example: { lapMs: 83_211, wins: 1 },
    propertyNames: { pattern: STATISTIC.source },
    maxProperties: MOST_VALUES,
  });

const Keys = z
  .record(KnownBoardId, BoardKey)
  .refine((keys) => Object.keys(keys).length <= MOST_BOARDS_FED, `must have at most ${MOST_BOARDS_FED} boards`)
  .meta({
    description: "For keyed boards, the level, song or map that the result was earned on, by the board.",
    example: { song: "track-88" },
    propertyNames: { pattern: BOARD.source },
    maxProperties: MOST_BOARDS_FED,
  });

const Segments = z
  .record(SegmentName, SegmentValue)
  .refine((segments) => Object.keys(segments).length <= MOST_SEGMENTS, `must have at most ${MOST_SEGMENTS} segments`)
  .refine((segments) => !("country" in segments), "must not have `country`, which is a field of its own")
  .meta({
    description: "Parts of boards that the player belongs to, beside the country.",
    example: { platform: "ios" },
    propertyNames: { pattern: `^(?!country$)${SEGMENT.source.slice(1)}` },
    maxProperties: MOST_SEGMENTS,
  });

/** Postgres keeps neither U+0000 nor halves of characters. */
const isText = (json: string) => !/(?<!\\)(\\\\)*\\u(0000|d[89a-f])/i.test(json);

const Metadata = z
  .record(z.string(), z.unknown())
  .refine((metadata) => isText(JSON.stringify(metadata)), "must be text without U+0000 and halves of characters")
  .meta({ description: "Kept with the result, on boards that take it.", example: { replay: "r-991" } });

/** One submission; `points`, `values`, or both. */
const ScoreFields = z.strictObject({
  player: NamedPlayer,
  points: Points.optional().meta({
    description: "May be left out beside `values`: the weekly and the all-time board then do not see it.",
  }),
  values: Values.optional(),
  keys: Keys.optional(),
  segments: Segments.optional(),
  metadata: Metadata.optional(),
  country: orNull(Country, "must be a two-letter code, or null")
    .optional()
    .meta({
      description:
        "Null: none. Left out: none, or with a player token the country that the request came from. " +
        "A player counts for the first five different countries of a week; from a sixth they stay where they are.",
    }),
  submittedAt: submittedAt.optional(),
});

const hasResult = ({ points, values }: { readonly points?: unknown; readonly values?: unknown }) =>
  points !== undefined || (typeof values === "object" && values !== null && Object.keys(values).length > 0);
const NO_RESULT = {
  error: "is required, or `values` with at least one statistic",
  path: ["points"],
  // Also beside other mistakes, so that a client hears of all at once.
  when: ({ value }: { readonly value: unknown }) =>
    typeof value === "object" && value !== null && !Array.isArray(value),
};

export const ScoreRequest = ScoreFields.refine(hasResult, NO_RESULT).meta({ id: "ScoreRequest" });
export type ScoreRequest = z.infer<typeof ScoreRequest>;

export const AllTimeStanding = z
  .object({ improved: z.boolean(), best: orNull(Points), rank: orNull(Rank) })
  .meta({ id: "AllTimeStanding" });

export const BoardStanding = z
  .object({
    board: KnownBoardId,
    key: z.string().meta({ description: "The board key, as reads take it.", example: "laps.2026-10-14" }).nullable(),
    period: z.string().meta({ example: "2026-10-14" }).nullable(),
    value: z
      .number()
      .nullable()
      .meta({ description: "What the submission brought; of `count` 1; null on a board of several statistics." }),
    improved: z.boolean().meta({ description: "Whether this submission changed the player's entry." }),
    best: z
      .number()
      .nullable()
      .meta({ description: "What the player holds on the board now, whatever its aggregation." }),
    previous: z
      .number()
      .nullable()
      .meta({ description: "What the player held before; null when nothing, and on a replay." }),
    rank: orNull(Rank).meta({
      description: "The place that this submission produced; null when it is not ranked yet, or not asked for.",
    }),
    boardSize: z.int().nullable(),
    segments: z.array(z.object({ segment: z.string().meta({ example: "country=DE" }), rank: orNull(Rank) })),
    counted: z.boolean(),
    reason: z.enum(["no-period", "period-final", "total-out-of-range"]).optional().meta({
      description:
        "Only when not counted: the board runs in no period now, the period is over, or the total would leave the board's bounds.",
    }),
    resetsAt: orNull(Instant).meta({ description: "When the period ends; null: never." }),
  })
  .meta({ id: "BoardStanding" });
export type BoardStanding = z.infer<typeof BoardStanding>;

export const ScoreResponse = z
  .object({
    submissionId: z.uuid().meta({
      description: "The submission's id, made by the server.",
      example: "019ade3c-6d3f-7a31-8f5d-0c6f0f6f9d11",
    }),
    game: Game,
    player: Player,
    points: orNull(Points).meta({ description: "Null when the submission had values only." }),
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
    boards: z.array(BoardStanding).optional().meta({
      description: "The boards that the game defined and that this submission is on; only for games that defined some.",
    }),
  })
  .meta({ id: "ScoreResponse" });
export type ScoreResponse = z.infer<typeof ScoreResponse>;

export const BatchItem = ScoreFields.extend({ idempotencyKey: IdempotencyKey.optional() })
  .refine(hasResult, NO_RESULT)
  .meta({ id: "BatchItem" });

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

export const StrictQuery = z.strictObject({
  strict: z
    .enum(["true", "false"])
    .default("false")
    .meta({ description: "`true`: a board's total that would leave its bounds refuses the whole submission." }),
});
