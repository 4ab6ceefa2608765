/** A game's boards: what their routes take and answer. The definition itself: board-definitions.ts. */
import { z } from "zod";
import { BOARD, BoardDefinition } from "./board-definitions.ts";
import { countParameter, Game, Instant, orNull } from "./primitives.ts";

/** A board of a game, also one that every game has. */
export const KnownBoardId = z.string().regex(BOARD, "must be 1–32 of a–z, 0–9 and -, and begin with a letter").meta({
  id: "KnownBoardId",
  description: "A board of the game: one that it defined, `weekly` or `all-time`.",
  example: "laps",
});

export const BoardResponse = z
  .object({
    board: KnownBoardId,
    default: z.boolean().meta({ description: "Whether it is a board of every game, which cannot be changed." }),
    ...BoardDefinition.shape,
    graceSeconds: z.int().min(0),
    createdAt: orNull(Instant).meta({ description: "null for a board of every game." }),
  })
  .meta({ id: "BoardResponse" });
export type BoardResponse = z.infer<typeof BoardResponse>;

export const BoardsResponse = z.object({ game: Game, boards: z.array(BoardResponse) }).meta({ id: "BoardsResponse" });
export type BoardsResponse = z.infer<typeof BoardsResponse>;

export const DeleteBoardQuery = z.strictObject({
  now: z
    .enum(["true", "false"])
    .default("false")
    .meta({ description: "`true`: also while a period is open and has entries." }),
});

export const PERIOD_STATES = ["upcoming", "open", "closed", "final"] as const;
export const MOST_PERIODS = 100;

/** What every read of a board says of the period that it is in. */
export const PERIOD_FIELDS = {
  period: z.string().meta({ description: "`all` on a board that never ends.", example: "2026-10-14" }),
  startsAt: orNull(Instant).meta({ description: "Null on a board that never ends." }),
  resetsAt: orNull(Instant).meta({ description: "When the period ends; null: never." }),
  state: z.enum(PERIOD_STATES),
};

export const PeriodsQuery = z.strictObject({
  from: z.iso
    .datetime({ offset: true })
    .max(40)
    .optional()
    .meta({ description: "The first period is the one that holds this time; the present, when left out." }),
  n: countParameter(1, MOST_PERIODS, 10, `Periods, at most ${MOST_PERIODS}.`),
});

export const BoardPeriod = z
  .object({
    period: z.string().meta({ example: "2026-10-14" }),
    startsAt: orNull(Instant).meta({ description: "null: since ever." }),
    endsAt: orNull(Instant).meta({ description: "null: never." }),
    state: z.enum(PERIOD_STATES).meta({
      description: "`open` until the end and the board's grace have passed; `final` when the results are written.",
    }),
  })
  .meta({ id: "BoardPeriod" });
export type BoardPeriod = z.infer<typeof BoardPeriod>;

export const PeriodsResponse = z
  .object({ board: KnownBoardId, periods: z.array(BoardPeriod) })
  .meta({ id: "PeriodsResponse" });
export type PeriodsResponse = z.infer<typeof PeriodsResponse>;
