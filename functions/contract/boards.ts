/** Reads of boards: top, one player, around a player, number of players. */
import { z } from "zod";
import { PERIOD_FIELDS } from "./defined-boards.ts";
import {
  BoardCountry,
  Country,
  countParameter,
  Instant,
  Player,
  Points,
  Rank,
  Version,
  Week,
  orNull,
} from "./primitives.ts";

export const MAX_ENTRIES = 100;
export const MAX_AROUND = 50;

export const Entry = z
  .object({
    rank: Rank,
    competitionRank: Rank.meta({ description: "The shared place: 101, 100, 100, 99 points have 1, 2, 2, 4." }),
    player: Player,
    points: Points,
    achievedAt: Instant.meta({ description: "The second in which the best was reached." }),
  })
  .meta({ id: "Entry" });
export type Entry = z.infer<typeof Entry>;

/** An entry as reads show it; boards that a game defined have `value` alone. */
export const BoardEntry = Entry.extend({
  value: Points.meta({ description: "The same as `points`: what the board ranks." }),
}).meta({ id: "BoardEntry" });
export type BoardEntry = z.infer<typeof BoardEntry>;

const boardName = z.union([Week, z.literal("all-time")]);

const Segment = z
  .string()
  .regex(/^[a-z][A-Za-z0-9]{0,15}:[A-Za-z0-9_-]{1,32}$/, "must be a segment and a value, such as platform:ios")
  // No example: /docs sends examples, and few boards have such a part.
  .meta({
    description:
      "A part of the board, `<segment>:<value>` as in `platform:ios`; `country:DE` is the same as `country=DE`.",
  });

export const TopQuery = z.strictObject({
  n: countParameter(1, MAX_ENTRIES, 10, `Entries of the page, at most ${MAX_ENTRIES}.`),
  country: BoardCountry.optional(),
  segment: Segment.optional(),
  cursor: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,600}$/, "must be the `next` of an earlier page")
    .optional()
    .meta({ description: "`next` of the page before, and nothing else.", format: "cursor" }),
});

export const TopResponse = z
  .object({
    board: boardName,
    ...PERIOD_FIELDS,
    country: orNull(Country),
    boardSize: z.int(),
    version: Version,
    entries: z.array(BoardEntry),
    next: z.string().nullable().meta({ description: "Cursor of the next page; null on the last one." }),
  })
  .meta({ id: "TopResponse" });
export type TopResponse = z.infer<typeof TopResponse>;

/** Of reads that take nothing but a part of the board. */
export const PartQuery = z.strictObject({ country: BoardCountry.optional(), segment: Segment.optional() });

export const StandingResponse = BoardEntry.extend({
  board: boardName,
  ...PERIOD_FIELDS,
  country: orNull(Country),
  boardSize: z.int(),
  percentile: z
    .number()
    .min(0.01)
    .max(100)
    .meta({
      description:
        "Share of the board at or below this place, in percent, rounded to two decimals. Only the first has 100: " +
        "everybody else has at most 99.99, and nobody less than 0.01.",
    }),
}).meta({ id: "StandingResponse" });
export type StandingResponse = z.infer<typeof StandingResponse>;

export const AroundQuery = z.strictObject({
  k: countParameter(0, MAX_AROUND, 2, `Entries above and below, at most ${MAX_AROUND}.`),
  country: BoardCountry.optional(),
  segment: Segment.optional(),
});

export const AroundResponse = z
  .object({
    board: boardName,
    ...PERIOD_FIELDS,
    country: orNull(Country),
    boardSize: z.int(),
    version: Version,
    entry: BoardEntry,
    entries: z
      .array(BoardEntry)
      .meta({ description: "Up to 2k+1 entries; the window shifts at both ends of the board." }),
  })
  .meta({ id: "AroundResponse" });
export type AroundResponse = z.infer<typeof AroundResponse>;

export const PlayersCountResponse = z
  .object({
    board: boardName,
    ...PERIOD_FIELDS,
    country: orNull(Country),
    estimate: z.int().meta({
      description:
        "HyperLogLog estimate of distinct players (0.81 % standard error); of a country or all time the exact number.",
    }),
    ranked: z.int().meta({ description: "Exact number of players on the board." }),
  })
  .meta({ id: "PlayersCountResponse" });
