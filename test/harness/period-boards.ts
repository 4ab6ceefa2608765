/** Boards that a game defined: what Redis has to hold by the rows of Postgres, and what it holds. */
import type { Redis } from "ioredis";
import type { Client } from "pg";
import { z } from "zod";
import { compiledColumn, toPeriodBoards } from "../../functions/adapters/postgres/period-boards.ts";
import { entryText, givenTo, isKept, partLabelOf } from "../../functions/domain/board/period-board.ts";
import { tickOf } from "../../functions/domain/board/packing.ts";

const Row = z.object({
  board: z.string(),
  player: z.string(),
  points: z.coerce.number(),
  ms: z.coerce.number(),
  segments: z.record(z.string(), z.string()).nullable(),
  starts: z.coerce.number(),
  ends: z.coerce.number(),
  unit_ms: z.number(),
});

/** Scores by player, by what the key ends with; and the sums of changes. */
export type Boards = {
  readonly boards: Record<string, Record<string, number>>;
  readonly changes: Record<string, number>;
};

/** What Redis has to hold at `nowMs`. */
export async function wantedBoards(postgres: Client, game: string, nowMs: number): Promise<Boards> {
  const [compiled] = (await postgres.query("select boards from games where game = $1", [game])).rows;
  const found = await postgres.query(
    `select b.board, b.player, b.points, ms_of_v1(b.achieved_at) as ms, b.segments, ms_of_v1(p.starts_at) as starts,
      ms_of_v1(p.ends_at) as ends, p.unit_ms
    from bests b join periods p on p.game = b.game and p.board = split_part(split_part(b.board, '.', 1), '~', 1) collate "C"
      and p.period = split_part(b.board, '.', 2) collate "C"
    where b.game = $1 and strpos(b.board, '.') > 0`,
    [game],
  );
  const rows = z.array(Row).parse(found.rows);
  const bounds = rows.map(({ board, starts, ends, unit_ms }): [string, number, number, number] => [
    board,
    starts,
    ends,
    unit_ms,
  ]);
  const known = toPeriodBoards(z.object({ boards: compiledColumn }).parse(compiled).boards, bounds);
  const wanted: Boards = { boards: {}, changes: {} };
  for (const { board: key, player, points, ms, segments } of rows) {
    const board = known.get(key);
    if (!board || !isKept(board, nowMs)) continue;
    const score = Number(entryText(board, { points, achievedAtMs: ms }));
    const parts = Object.entries(segments ?? {}).map(([segment, value]) => partLabelOf(key, { segment, value }));
    for (const label of [key, ...parts]) (wanted.boards[label] ??= {})[player] = score;
    if (givenTo(board) === "newer") wanted.changes[key] = (wanted.changes[key] ?? 0) + tickOf(board.packing, ms) + 1;
  }
  return wanted;
}

/** What it holds. */
export async function heldBoards(redis: Redis, game: string): Promise<Boards> {
  const held: Boards = { boards: {}, changes: {} };
  for (const key of await redis.keys(`lb:{${game}}:board:*.*`)) {
    const entries = await redis.zrange(key, 0, "-1", "WITHSCORES");
    const scores = entries.flatMap((player, i) => (i % 2 === 0 ? [[player, Number(entries[i + 1])] as const] : []));
    held.boards[key.slice(`lb:{${game}}:board:`.length)] = Object.fromEntries(scores);
  }
  for (const key of await redis.keys(`lb:{${game}}:changes:*`))
    held.changes[key.slice(`lb:{${game}}:changes:`.length)] = Number(await redis.get(key));
  return held;
}
