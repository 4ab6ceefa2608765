/** Boards that a test defines, and what is stored of them. */
import { expect } from "vitest";
import { z } from "zod";
import { BoardResponse, BoardsResponse, PeriodsResponse } from "../../functions/contract/defined-boards.ts";
import { call, freshGame } from "../harness/api.ts";
import { openStores } from "../harness/stores.ts";

/** A board of laps, of one day each in Berlin. */
export const LAPS = {
  title: "Fastest lap",
  statistic: "lapMs",
  order: "asc",
  value: { min: 0, max: 3_600_000, decimals: 0 },
  schedule: { kind: "day", zone: "UTC", at: "04:00" },
} as const;

export const DEFAULTS = {
  order: "desc",
  aggregation: "best",
  value: { min: 0, max: 8_589_934_591, decimals: 0 },
  tie: "earliest",
  keyed: false,
  schedule: { kind: "never" },
  graceSeconds: 60,
  segments: [],
  metadata: { maxBytes: 0 },
  retentionDays: 35,
  rewards: [],
};

export const pathOf = (game: string, board?: string) =>
  `/v1/games/${game}/boards${board === undefined ? "" : `/${board}`}`;
export const put = (game: string, board: string, body: unknown) => call(pathOf(game, board), { method: "PUT", body });
export const remove = (game: string, board: string, query = "") =>
  call(pathOf(game, board) + query, { method: "DELETE" });
export const get = (game: string, board: string) => call(pathOf(game, board), { key: null });

/** A new game with this board; its id. */
export async function gameWith(board: string, definition: unknown): Promise<string> {
  const game = await freshGame();
  const { status, body } = await put(game, board, definition);
  expect(status, JSON.stringify(body)).toBe(201);
  return game;
}

export async function listed(game: string): Promise<BoardResponse[]> {
  const { status, body } = await call(pathOf(game), { key: null });
  expect(status).toBe(200);
  return BoardsResponse.strict().parse(body).boards;
}

export async function periodsOf(game: string, board: string, query = "") {
  const { status, body } = await call(`${pathOf(game, board)}/periods${query}`, { key: null });
  expect(status, JSON.stringify(body)).toBe(200);
  return PeriodsResponse.strict().parse(body).periods;
}

const periodRow = z.object({ board: z.string(), period: z.string(), starts_at: z.date(), ends_at: z.date() });

/** What Postgres has of a game's boards. */
export function storedBoards() {
  const { postgres } = openStores();
  return {
    postgres,
    async compiled(game: string): Promise<unknown> {
      const { rows } = await postgres.query("select boards from games where game = $1", [game]);
      return z.object({ boards: z.unknown() }).parse(rows[0]).boards;
    },
    async revision(game: string): Promise<number | null> {
      const { rows } = await postgres.query("select boards_revision from games where game = $1", [game]);
      return z.object({ boards_revision: z.int().nullable() }).parse(rows[0]).boards_revision;
    },
    async definitions(game: string): Promise<unknown[]> {
      return (await postgres.query("select * from boards where game = $1 order by name", [game])).rows;
    },
    async periods(game: string) {
      const text = "select board, period, starts_at, ends_at from periods where game = $1 order by board, starts_at";
      return z.array(periodRow).parse((await postgres.query(text, [game])).rows);
    },
    /** An entry as a submission leaves it, under this key. */
    async enter(game: string, key: string): Promise<void> {
      await postgres.query(
        `insert into bests (game, board, player, points, achieved_at, submission_id)
          values ($1, $2, 'ada', 1, date_trunc('second', now()), gen_random_uuid())`,
        [game, key],
      );
    },
  };
}
