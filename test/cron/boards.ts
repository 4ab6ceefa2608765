/** Games with boards of their own in a world of this lane. */
import { z } from "zod";
import type { World } from "./world.ts";
import { ensurePeriods, type EnsureDeps } from "../../functions/services/definitions/keep-periods.ts";

export const DUE = "lb:due";
export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

export const DAILY = { statistic: "lapMs", schedule: { kind: "day", zone: "UTC", at: "00:00" } };
export const minutely = {
  statistic: "lapMs",
  schedule: { kind: "every", every: "PT1M", anchor: "2026-01-01T00:00:00Z" },
};

const periodRow = z.object({ board: z.string(), period: z.string(), starts_at: z.date(), ends_at: z.date() });
export type PeriodRow = z.infer<typeof periodRow>;

/** What a test does with boards. */
export const withBoards = (world: World) => ({
  put: (game: string, board: string, body: unknown, laterMs = 0) =>
    world.ask("PUT", `/v1/games/${game}/boards/${board}`, body, { laterMs }),

  /** A game with these boards. */
  async game(boards: Readonly<Record<string, unknown>>): Promise<string> {
    const game = await world.game();
    for (const [board, body] of Object.entries(boards))
      await world.api("PUT", `/v1/games/${game}/boards/${board}`, body);
    return game;
  },

  rows: (game: string): Promise<PeriodRow[]> =>
    world.rows(
      periodRow,
      "select board, period, starts_at, ends_at from periods where game = $1 order by board, starts_at",
      [game],
    ),
});

/** The row of the period that holds an instant, as a submission that finds none asks for it. */
export async function ensurePeriod(deps: EnsureDeps, game: string, board: string, atMs: number) {
  const [row] = await ensurePeriods(deps, game, [{ board, atMs }]);
  return row;
}
