/** Boards as Postgres has them: finished weeks for ever, and every board while Redis is out. The same answers. */
import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import type { FeedEvent } from "../../contract/feed.ts";
import { versionOf } from "../../domain/board/version.ts";
import type { BoardPage, BoardReader } from "../../services/boards/ports.ts";
import { isWhole, wholeOf, type Board, type RawEntry } from "../../domain/board/board.ts";
import { bigintNumber, instantMs, type Postgres } from "./client.ts";

const feedRow = z.object({
  id: z.string(),
  player: z.string(),
  points: bigintNumber,
  best: bigintNumber.nullable(),
  week: z.string(),
  submitted_at: instantMs,
});

/** Order of a board; `bests_order` is this index. */
const inOrder = sql`order by b.points desc, b.achieved_at, b.player desc`;

/** Entries of a board. `points >= 0` says that they may be read by `bests_order` (drizzle/schema/bests.ts). */
function onBoard(game: string, board: Board): SQL {
  const whole = sql`b.game = ${game} and b.board = ${board.name} and b.points >= 0`;
  return isWhole(board) ? whole : sql`${whole} and b.country = ${board.country}`;
}

/** A query of one number: how many players the board has. It is not kept for a country, so those are counted. */
function sizeOf(game: string, board: Board): SQL {
  if (!isWhole(board)) return sql`select count(*) as n from bests b where ${onBoard(game, board)}`;
  return sql`select coalesce(sum(z.players), 0)::bigint as n from board_sizes z
    where z.game = ${game} and z.board = ${board.name}`;
}

function below(entry: RawEntry): SQL {
  const at = new Date(entry.achievedAtMs).toISOString();
  return sql`b.points <= ${entry.points} and (b.points < ${entry.points} or b.achieved_at > ${at}::timestamptz
    or (b.achieved_at = ${at}::timestamptz and b.player < ${entry.player}))`;
}

/** Submissions of `among` as feed events, newest first; what moderation took back is not among them. */
export async function eventsAmong(postgres: Postgres, among: SQL, where: SQL): Promise<FeedEvent[]> {
  const rows = await postgres.query(
    feedRow,
    sql`select s.id, s.player, s.points, b.points as best, s.week, s.submitted_at
      from ${among} s left join lateral (
        select b.points from bests b where b.game = s.game and b.board = s.week and b.player = s.player limit 1) b on true
      where ${where} and s.points is not null order by s.id desc`,
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

/** The newest `n` submissions that count; looked up one by one, whatever the statistics say. */
export const newestSubmissions = (game: string, n: number, beforeMs?: number): SQL =>
  sql`(select t.* from newest_submissions_v1(${game}, ${beforeMs === undefined ? null : new Date(beforeMs).toISOString()}, ${n}) as n (id)
    cross join lateral (select t.* from submissions t where t.game = ${game} and t.id = n.id limit 1) t)`;

/** The newest submissions as feed events, newest first. */
export const newestEvents = (postgres: Postgres, game: string, n: number, beforeMs?: number): Promise<FeedEvent[]> =>
  eventsAmong(postgres, newestSubmissions(game, n, beforeMs), sql`true`);

/** When a moderator last took something off the game's boards, for versions. */
export const moderatedOf = (game: string): SQL => sql`(select g.moderated from games g where g.game = ${game})`;

/**
 * A page, the board's size, the places of the page's first entry and what its version is made of: of one moment, so that
 * ranks, entries and version fit. The version is the whole board's, also for a part of it. `page` selects entries of `board`,
 * which are named b.
 */
const pageOf = (game: string, board: Board, page: SQL) => sql`
  with board as not materialized (select b.player, b.points, b.achieved_at from bests b where ${onBoard(game, board)}),
    size as (${sizeOf(game, board)}),
    page as materialized (${page}),
    first as (select b.* from page b ${inOrder} limit 1),
    top as materialized (select b.points, b.achieved_at from bests b where ${onBoard(game, wholeOf(board))}
      ${inOrder} limit 10)
  select (select n from size) as size, coalesce(${moderatedOf(game)}, 1) as moderated,
    (select json_build_object('entries', count(*), 'points', coalesce(sum(t.points), 0),
      'seconds', coalesce(sum(extract(epoch from t.achieved_at)::bigint), 0)) from top t) as top,
    (select count(*) from bests b, (select t.* from top t order by t.points, t.achieved_at desc limit 1) t
      where ${onBoard(game, wholeOf(board))} and b.points >= t.points
        and (b.points > t.points or b.achieved_at <= t.achieved_at)) as reached,
    (select count(*) from board b, first f where b.points >= f.points and (b.points > f.points
      or b.achieved_at < f.achieved_at or (b.achieved_at = f.achieved_at and b.player > f.player))) as ahead,
    (select count(*) from board b, first f where b.points > f.points) as more,
    (select coalesce(json_agg(json_build_array(b.player, b.points, extract(epoch from b.achieved_at)::bigint)
      ${inOrder}), '[]') from page b) as entries`;

const pageRow = z.object({
  size: bigintNumber,
  moderated: z.string(),
  top: z.object({ entries: z.int(), points: z.int(), seconds: z.int() }),
  reached: bigintNumber,
  ahead: bigintNumber,
  more: bigintNumber,
  entries: z.array(z.tuple([z.string(), z.int(), z.int()])),
});

export function createHistory(postgres: Postgres): BoardReader {
  async function read(game: string, board: Board, page: SQL): Promise<BoardPage> {
    const [row] = await postgres.query(pageRow, pageOf(game, board, page));
    if (!row) throw new Error("an aggregate without a row");
    const isEmpty = row.entries.length === 0;
    return {
      boardSize: row.size,
      version: versionOf({ moderated: row.moderated, reached: row.reached, ...row.top }, board),
      firstRank: isEmpty ? 0 : row.ahead + 1,
      firstCompetitionRank: isEmpty ? 0 : row.more + 1,
      entries: row.entries.map(([player, points, second]) => ({ player, points, achievedAtMs: second * 1000 })),
    };
  }

  return {
    top(game, board, n, cursor) {
      const from = cursor ? below(cursor) : sql`true`;
      return read(game, board, sql`select b.* from board b where ${from} ${inOrder} limit ${n}`);
    },

    async around(game, board, player, k) {
      const width = 2 * k + 1;
      const page = await read(
        game,
        board,
        sql`select b.* from board b where exists (select from board o where o.player = ${player}) ${inOrder}
          limit ${width} offset (select greatest(0, least(count(*) - ${k}, (select n from size) - ${width}))
            from board b, board o where o.player = ${player} and b.points >= o.points and (b.points > o.points
              or b.achieved_at < o.achieved_at or (b.achieved_at = o.achieved_at and b.player > o.player)))`,
      );
      return page.entries.length === 0 ? undefined : page;
    },

    async count(game, board) {
      const [row] = await postgres.query(z.object({ n: bigintNumber }), sizeOf(game, board));
      const ranked = row?.n ?? 0;
      return { estimate: ranked, ranked };
    },

    async feed(game, n, before) {
      // Redis pages by stream id, Postgres by time: a cursor of the one is close enough for the other in an outage.
      const beforeMs = before === undefined ? undefined : Number(before.split("-")[0]);
      return { events: await newestEvents(postgres, game, n, beforeMs), next: null };
    },
  };
}
