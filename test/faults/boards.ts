/** Whole boards of a game: as Redis holds them, and as a plain fold over the submissions in Postgres says. */
import { expect } from "vitest";
import { z } from "zod";
import { activityKey, boardKey } from "../../functions/adapters/redis/keys.ts";
import { allTimeScore, weeklyScore } from "../../functions/domain/board/score.ts";
import { startOf } from "../../functions/domain/board/week.ts";
import { ALL_TIME, boardOf, type Board } from "../../functions/domain/board/board.ts";
import type { World } from "./world.ts";

const submission = z.object({
  id: z.string(),
  player: z.string(),
  points: z.coerce.number(),
  second: z.coerce.number(),
  week: z.string(),
  country: z.string().nullable(),
});
type Row = z.infer<typeof submission>;
type Entry = readonly [player: string, score: number];

export async function submissionsOf({ postgres }: World, game: string): Promise<Row[]> {
  const { rows } = await postgres.query(
    `select id, player, points, floor(extract(epoch from submitted_at)) as second, week, country
      from submissions where game = $1 order by id`,
    [game],
  );
  return z.array(submission).parse(rows);
}

const bytes = (text: string) => Buffer.from(text);

/** More points first, then the earlier second (both in the score), then the player's bytes, descending. */
function inOrder(best: ReadonlyMap<string, number>): Entry[] {
  return [...best].sort(([p, a], [q, b]) => b - a || Buffer.compare(bytes(q), bytes(p)));
}

/** Every board that the submissions make, by its Redis key. */
function fold(game: string, rows: readonly Row[]): Map<string, Entry[]> {
  const country = new Map<string, string>();
  for (const row of rows) if (row.country !== null) country.set(`${row.week}\n${row.player}`, row.country);
  const boards = new Map<string, Map<string, number>>();
  const raise = (board: Board, player: string, score: number) => {
    const key = boardKey(game, board);
    const best = boards.get(key) ?? new Map<string, number>();
    boards.set(key, best.set(player, Math.max(score, best.get(player) ?? Number.NEGATIVE_INFINITY)));
  };
  for (const { player, points, second, week } of rows) {
    const score = weeklyScore(points, second - startOf(week) / 1000);
    const inCountry = country.get(`${week}\n${player}`);
    raise(boardOf(week), player, score);
    if (inCountry !== undefined) raise(boardOf(week, inCountry), player, score);
    raise(ALL_TIME, player, allTimeScore(points, second));
  }
  return new Map([...boards].map(([key, best]) => [key, inOrder(best)]));
}

async function heldBoards({ redis }: World, game: string): Promise<Map<string, Entry[]>> {
  const keys = (await redis.keys(`lb:{${game}}:board:*`)).filter((key) => !/:(version|push)$/.test(key));
  const boards = new Map<string, Entry[]>();
  for (const key of keys) {
    const flat = await redis.zrevrange(key, 0, -1, "WITHSCORES");
    boards.set(
      key,
      flat.flatMap((player, i): Entry[] => (i % 2 === 0 ? [[player, Number(flat[i + 1])]] : [])),
    );
  }
  return boards;
}

/** The invariant: every board is the fold of the submissions, entry by entry and in order. */
export async function expectBoardsEqualPostgres(world: World, game: string): Promise<Row[]> {
  const rows = await submissionsOf(world, game);
  expect(await heldBoards(world, game)).toEqual(fold(game, rows));
  return rows;
}

/** Submission ids of the feed, oldest first. */
export async function feedOf({ redis }: World, game: string): Promise<string[]> {
  const entries = await redis.xrange(activityKey(game), "-", "+");
  return entries.map(([, fields]) => fields[fields.indexOf("submission") + 1] ?? "");
}

/** No submission is in the feed twice. */
export async function expectNoDoubledEvents(world: World, game: string): Promise<void> {
  const ids = await feedOf(world, game);
  expect(ids.length).toBe(new Set(ids).size);
}
