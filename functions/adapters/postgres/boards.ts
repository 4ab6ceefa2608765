/** Boards as Postgres has them: finished weeks for ever, and every board while Redis is out. The same answers. */
import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import { bests } from "../../../drizzle/schema/bests.ts";
import type { FeedEvent } from "../../contract/feed.ts";
import { windowStart } from "../../domain/ranking.ts";
import type { BoardPage, BoardReader, BoardRef, RawEntry } from "../../services/ports.ts";
import { bigintNumber, instantMs, type Postgres } from "./client.ts";

const entryRow = z.object({ player: z.string(), points: bigintNumber, achieved_at: instantMs });
const feedRow = z.object({
  id: z.string(),
  player: z.string(),
  points: bigintNumber,
  best: bigintNumber.nullable(),
  week: z.string(),
  submitted_at: instantMs,
});

/** Order of a board (DESIGN 2.3); `bests_order` is this index. */
export const inOrder = sql`order by b.points desc, b.achieved_at, b.player desc`;

function onBoard(game: string, board: BoardRef): SQL {
  if (board.kind === "all-time") return sql`b.game = ${game} and b.board = 'all-time'`;
  const week = sql`b.game = ${game} and b.board = ${board.week}`;
  return board.country === undefined ? week : sql`${week} and b.country = ${board.country}`;
}

/** Entries above a place in the order. */
function above(entry: RawEntry): SQL {
  const at = new Date(entry.achievedAtMs).toISOString();
  return sql`(b.points > ${entry.points} or (b.points = ${entry.points} and (b.achieved_at < ${at}::timestamptz
    or (b.achieved_at = ${at}::timestamptz and b.player > ${entry.player}))))`;
}

export function below(entry: RawEntry): SQL {
  const at = new Date(entry.achievedAtMs).toISOString();
  return sql`b.points <= ${entry.points} and (b.points < ${entry.points} or b.achieved_at > ${at}::timestamptz
    or (b.achieved_at = ${at}::timestamptz and b.player < ${entry.player}))`;
}

/** Submissions of `among` as feed events, newest first; what moderation took back is not among them. */
export async function eventsAmong(postgres: Postgres, among: SQL, where: SQL): Promise<FeedEvent[]> {
  const rows = await postgres.query(
    feedRow,
    sql`select s.id, s.player, s.points, b.points as best, s.week, s.submitted_at
      from ${among} s left join bests b on b.game = s.game and b.board = s.week and b.player = s.player
      where ${where} order by s.id desc`,
  );
  return rows.map((row) => ({
    submissionId: row.id,
    player: row.player,
    points: row.points,
    best: row.best ?? row.points,
    rank: null,
    week: row.week,
    submittedAt: new Date(row.submitted_at).toISOString(),
  }));
}

/** The newest `n` submissions that count. */
export const newestSubmissions = (game: string, n: number, where: SQL): SQL =>
  sql`(select t.* from ranked_submissions t where t.game = ${game} and ${where} order by t.id desc limit ${n})`;

/** The newest submissions as feed events, newest first. */
export function newestEvents(
  postgres: Postgres,
  game: string,
  n: number,
  beforeMs: number | undefined,
): Promise<FeedEvent[]> {
  const until = beforeMs === undefined ? sql`true` : sql`t.received_at < ${new Date(beforeMs).toISOString()}`;
  return eventsAmong(postgres, newestSubmissions(game, n, until), sql`true`);
}

const toEntry = (row: z.infer<typeof entryRow>): RawEntry => ({
  player: row.player,
  points: row.points,
  achievedAtMs: row.achieved_at,
});

export function createHistory(postgres: Postgres): BoardReader {
  async function countWhere(where: SQL): Promise<number> {
    const [row] = await postgres.query(
      z.object({ count: bigintNumber }),
      sql`select count(*) as count from ${bests} b where ${where}`,
    );
    return row?.count ?? 0;
  }

  async function entries(where: SQL, limit: number, offset = 0): Promise<RawEntry[]> {
    const rows = await postgres.query(
      entryRow,
      sql`select b.player, b.points, b.achieved_at from ${bests} b where ${where} ${inOrder}
        limit ${limit} offset ${offset}`,
    );
    return rows.map(toEntry);
  }

  async function page(game: string, board: BoardRef, found: RawEntry[], boardSize: number): Promise<BoardPage> {
    const [first] = found;
    if (!first) return { boardSize, version: "0", firstRank: 0, firstCompetitionRank: 0, entries: [] };
    const here = onBoard(game, board);
    const [ahead, more] = await Promise.all([
      countWhere(sql`${here} and ${above(first)}`),
      countWhere(sql`${here} and b.points > ${first.points}`),
    ]);
    return { boardSize, version: "0", firstRank: ahead + 1, firstCompetitionRank: more + 1, entries: found };
  }

  return {
    async top(game, board, n, cursor) {
      const here = onBoard(game, board);
      const where = cursor ? sql`${here} and ${below(cursor)}` : here;
      const [found, size] = await Promise.all([entries(where, n), countWhere(here)]);
      return page(game, board, found, size);
    },

    async around(game, board, player, k) {
      const here = onBoard(game, board);
      const [own] = await entries(sql`${here} and b.player = ${player}`, 1);
      if (!own) return undefined;
      const [ahead, size] = await Promise.all([countWhere(sql`${here} and ${above(own)}`), countWhere(here)]);
      const found = await entries(here, 2 * k + 1, windowStart(ahead + 1, k, size));
      return page(game, board, found, size);
    },

    async count(game, board) {
      const ranked = await countWhere(onBoard(game, board));
      return { estimate: ranked, ranked };
    },

    async feed(game, n, before) {
      // Redis pages by stream id, Postgres by time: a cursor of the one is close enough for the other in an outage.
      const beforeMs = before === undefined ? undefined : Number(before.split("-")[0]);
      return { events: await newestEvents(postgres, game, n, beforeMs), next: null };
    },
  };
}
