import type { PoolClient } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { createBestsPager } from "../../functions/adapters/postgres/bests.ts";
import { boardOf, type Cursor } from "../../functions/domain/board/board.ts";
import { tcpPostgres } from "../../tools/doctor/tcp-postgres.ts";
import { freshGameId } from "../harness/api.ts";
import { newGame } from "../harness/game.ts";
import { openStores } from "../harness/stores.ts";
import { lastWeek } from "./times.ts";

const stores = openStores();

const PLAYERS = 20_000;
/** A page of 20 touches 20 scattered rows and their index; sorting the game touches several hundred blocks. */
const BLOCKS_OF_A_PAGE = 100;
/** 20 players written one by one, several times each; reading the game for each of them touches ten thousand. */
const BLOCKS_OF_A_BATCH = 2_500;

/** Buffers of a plan, those of the functions that it calls included. */
const explained = z.tuple([
  z.object({ Plan: z.object({ "Shared Hit Blocks": z.int(), "Shared Read Blocks": z.int() }) }),
]);

/** A batch of 20 players who are there already; with the key `seed` it is a retry. */
const batch = (key: string) => `select * from submit_scores_v1($game, (
  select json_agg(json_build_object('i', i, 'player', 'p' || i, 'key', '${key}', 'request', 'seed', 'points', 9))
  from generate_series(1, 20) i), 'server-key', null)`;
const THE_TWENTIETH = "(select id from submissions where game = $game order by id offset 19 limit 1)";
const NONE = "'00000000-0000-0000-0000-000000000000'";

/** One transaction that is rolled back: a big game that statistics know, and one that came after the last ANALYZE. */
describe("a read", () => {
  const [known, unknown] = [freshGameId(), freshGameId()];
  let client: PoolClient;
  beforeAll(async () => {
    client = await stores.postgres.connect();
    await client.query("begin");
    for (const game of [known, unknown]) {
      await client.query(
        `insert into games (game, badges, feed_length, max_points, max_improvement, limit_submissions, limit_seconds)
          values ($1, '[]', 100, 1000000, 1000000, 50, 60)`,
        [game],
      );
      await client.query(
        `with p as (select 'p' || i as player, uuidv7() as id, (i * 7919) % 1000000 as points from generate_series(1, $2::int) i),
          s as (insert into submissions (id, game, player, idempotency_key, request, points, week, submitted_at)
            select id, $1, player, 'seed', 'seed', points, '2026-W40', '2026-10-01T00:00:00Z' from p),
          b as (insert into bests (game, board, player, points, achieved_at, submission_id)
            select $1, w.board, player, points, '2026-10-01T00:00:00Z', id from p, (values ('2026-W40'), ('all-time')) w (board))
        insert into players (game, player) select $1, player from p`,
        [game, PLAYERS],
      );
      if (game === known) await client.query("analyze submissions, bests, players");
    }
  }, 60_000);
  afterAll(async () => {
    await client.query("rollback");
    client.release();
  });

  async function blocksOf(statement: string): Promise<number> {
    const inGame = statement.replaceAll("$game", `'${unknown}'`);
    await client.query("savepoint before");
    // The first call reads the catalogue too.
    await client.query(inGame);
    await client.query("rollback to before");
    const { rows } = await client.query(`explain (analyze, buffers, format json) ${inGame}`);
    await client.query("rollback to before");
    const [{ Plan }] = explained.parse(z.object({ "QUERY PLAN": z.unknown() }).parse(rows[0])["QUERY PLAN"]);
    return Plan["Shared Hit Blocks"] + Plan["Shared Read Blocks"];
  }

  it.each([
    ["a page of a board", "select * from bests_page_v1($game, '2026-W40', 500000, '2026-10-01T00:00:00Z', 'p', 20)"],
    [
      "a page of a board that the game defined",
      "select * from entries_page_v1($game, '2026-W40', 500000, '2026-10-01T00:00:00Z', 'p', 20)",
    ],
    ["small boards together", "select * from entries_of_boards_v1($game, array['song~1.all', 'song~2.all'])"],
    ["the parts of small boards", "select * from parts_of_boards_v1($game, array['song~1.all', 'song~2.all'])"],
    ["the newest submissions", "select * from newest_submissions_v1($game, null, 20)"],
    ["the submissions after an id", `select * from submissions_after_v1($game, ${NONE}, 20)`],
    ["one player's best", "select * from bests where game = $game and board = '2026-W40' and player = 'p77'"],
    [
      "one submission by its id",
      `select t.* from (select id from submissions where game = $game limit 1) i
        cross join lateral (select * from submissions t where t.game = $game and t.id = i.id limit 1) t`,
    ],
  ])("of %s touches little, although statistics do not know the game yet", async (_, statement) => {
    expect(await blocksOf(statement)).toBeLessThan(BLOCKS_OF_A_PAGE);
  });

  it.each([
    ["a batch of a game with a limit and a review", batch("new")],
    ["a batch that is a retry", batch("seed")],
    ["a page of submissions to judge", `select * from award_range_v1($game, ${NONE}, ${THE_TWENTIETH}, false)`],
  ])("by %s touches its own players only", async (_, statement) => {
    expect(await blocksOf(statement)).toBeLessThan(BLOCKS_OF_A_BATCH);
  });

  it("goes on behind its last entry, among equal points and seconds too", async () => {
    const game = await newGame();
    const week = lastWeek();
    const submissions = ["a", "b", "c", "d", "é", "007", "7"].flatMap((player, i) => [
      { player, points: 5, submittedAt: week.at(1 + (i % 2)), country: "DE" },
      { player: `${player}+`, points: i % 3, submittedAt: week.at(1) },
    ]);
    await game.batch([...submissions, { player: "first", points: 8_589_934_591, submittedAt: week.at(3) }]);
    const pager = createBestsPager(tcpPostgres(stores.postgres));
    const bests = await stores.bests(game.id);
    const board = bests.filter((row) => row.board === week.week);
    for (const n of [1, 2, 3, 5, 100]) {
      const read = [];
      for (let after: Cursor | undefined; ;) {
        const entries = await pager.page(game.id, boardOf(week.week), after, n);
        read.push(...entries);
        after = entries.at(-1);
        if (entries.length < n) break;
      }
      expect(read).toEqual(
        board.map(({ player, points, achieved_at, country }) => ({
          player,
          points,
          achievedAtMs: achieved_at.getTime(),
          country: country ?? undefined,
        })),
      );
    }
  });
});
