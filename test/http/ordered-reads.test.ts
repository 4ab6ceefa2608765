import { describe, expect, it } from "vitest";
import { z } from "zod";
import { createBestsPager } from "../../functions/adapters/postgres/bests.ts";
import type { Cursor } from "../../functions/services/ports.ts";
import { tcpPostgres } from "../../local/doctor/tcp-postgres.ts";
import { freshGameId } from "../harness/api.ts";
import { newGame } from "../harness/game.ts";
import { openStores } from "../harness/stores.ts";
import { lastWeek } from "./times.ts";

const stores = openStores();

const PLAYERS = 20_000;
/** A page of 20 touches 20 scattered rows and their index; sorting the game touches several hundred blocks. */
const BLOCKS_OF_A_PAGE = 100;

/** Buffers of a plan, those of the functions that it calls included. */
const explained = z.tuple([
  z.object({ Plan: z.object({ "Shared Hit Blocks": z.int(), "Shared Read Blocks": z.int() }) }),
]);

/** Plans and runs a statement in a game that came after the last ANALYZE, and takes the game away again. */
async function blocksInANewGame(statement: string): Promise<number> {
  const client = await stores.postgres.connect();
  try {
    await client.query("begin");
    const game = freshGameId();
    await client.query(
      `with p as (select 'p' || i as player, uuidv7() as id, (i * 7919) % 1000000 as points from generate_series(1, $2::int) i),
        s as (insert into submissions (id, game, player, idempotency_key, request, points, week, submitted_at)
          select id, $1, player, 'seed', 'seed', points, '2026-W40', '2026-10-01T00:00:00Z' from p),
        b as (insert into bests (game, board, player, points, achieved_at, submission_id)
          select $1, '2026-W40', player, points, '2026-10-01T00:00:00Z', id from p)
      insert into players (game, player) select $1, player from p`,
      [game, PLAYERS],
    );
    const inGame = statement.replaceAll("$game", `'${game}'`);
    // The first call reads the catalogue too.
    await client.query(inGame);
    const { rows } = await client.query(`explain (analyze, buffers, format json) ${inGame}`);
    const [{ Plan }] = explained.parse(z.object({ "QUERY PLAN": z.unknown() }).parse(rows[0])["QUERY PLAN"]);
    return Plan["Shared Hit Blocks"] + Plan["Shared Read Blocks"];
  } finally {
    await client.query("rollback");
    client.release();
  }
}

describe("a read", () => {
  it.each([
    ["a page of a board", "select * from bests_page_v1($game, '2026-W40', 500000, '2026-10-01T00:00:00Z', 'p', 20)"],
    ["the newest submissions", "select * from newest_submissions_v1($game, null, 20)"],
    [
      "the submissions after an id",
      "select * from submissions_after_v1($game, '00000000-0000-0000-0000-000000000000', 20)",
    ],
    ["one player's best", "select * from bests where game = $game and board = '2026-W40' and player = 'p77'"],
    [
      "one submission by its key",
      "select * from submissions where game = $game and player = 'p77' and idempotency_key = 'seed'",
    ],
    [
      "one submission by its id",
      `select t.* from (select id from submissions where game = $game limit 1) i
        cross join lateral (select * from submissions t where t.game = $game and t.id = i.id limit 1) t`,
    ],
  ])("of %s touches little, although statistics do not know the game yet", async (_, statement) => {
    expect(await blocksInANewGame(statement)).toBeLessThan(BLOCKS_OF_A_PAGE);
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
        const { entries } = await pager.page(game.id, week.week, after, n);
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
