/** Reads of boards that a game defined: as those of boards.ts, with values in place of points, and the period. */
import { z } from "zod";
import { KnownBoardId, PERIOD_FIELDS } from "./defined-boards.ts";
import { Instant, Player, Rank, Version, orNull } from "./primitives.ts";

export const ValueEntry = z
  .object({
    rank: Rank,
    competitionRank: Rank.meta({ description: "The shared place: equal values have the same one." }),
    player: Player,
    value: z.number().nullable().meta({ description: "Null on a board of several statistics." }),
    values: z.record(z.string(), z.number()).meta({ description: "By statistic." }),
    achievedAt: orNull(Instant).meta({
      description:
        "When it was reached, cut to the step of time that the board tells apart; null where ids decide among equals.",
    }),
  })
  .meta({ id: "ValueEntry" });
export type ValueEntry = z.infer<typeof ValueEntry>;

const OfBoard = z.object({
  board: KnownBoardId,
  key: z.string().meta({ example: "laps.2026-10-14" }),
  ...PERIOD_FIELDS,
  segment: z
    .string()
    .nullable()
    .meta({ description: "The part of the board, as `platform:ios`.", example: "platform:ios" }),
});
export type OfBoard = z.infer<typeof OfBoard>;

const boardSize = z.int();

export const DefinedTopResponse = OfBoard.extend({
  boardSize,
  version: Version,
  entries: z.array(ValueEntry),
  next: z.string().nullable().meta({ description: "Cursor of the next page; null on the last one." }),
}).meta({ id: "DefinedTopResponse" });
export type DefinedTopResponse = z.infer<typeof DefinedTopResponse>;

export const DefinedStandingResponse = OfBoard.extend({
  ...ValueEntry.shape,
  boardSize,
  percentile: z.number().min(0.01).max(100),
}).meta({ id: "DefinedStandingResponse" });
export type DefinedStandingResponse = z.infer<typeof DefinedStandingResponse>;

export const DefinedAroundResponse = OfBoard.extend({
  boardSize,
  version: Version,
  entry: ValueEntry,
  entries: z.array(ValueEntry),
}).meta({ id: "DefinedAroundResponse" });
export type DefinedAroundResponse = z.infer<typeof DefinedAroundResponse>;

export const DefinedCountResponse = OfBoard.extend({ estimate: z.int(), ranked: z.int() }).meta({
  id: "DefinedCountResponse",
});
export type DefinedCountResponse = z.infer<typeof DefinedCountResponse>;
