/** A keyed board has a board for each song, level or map that was played: a rebuild must come to its end however many those are. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { heldBoards, wantedBoards } from "../harness/period-boards.ts";
import { activityOf } from "./stream.ts";
import { startWorld, type World } from "./world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

const SONGS = 1_500;
const PLAYERS = 3;
const TICK_MS = 60_000;
/** Requests of one run. */
const MOST = 300;

/** A game in which every song has entries. */
async function gameOfSongs(): Promise<string> {
  const game = await world.game();
  const definition = { statistic: "notes", keyed: true, aggregation: "last", segments: ["platform"] };
  await world.api("PUT", `/v1/games/${game}/boards/song`, definition);
  await world.api("POST", `/v1/games/${game}/scores`, {
    player: "p1",
    values: { notes: 1 },
    keys: { song: "1" },
    segments: { platform: "ios" },
  });
  await world.postgres.query(
    `insert into bests (game, board, player, points, achieved_at, submission_id, segments, left_segments)
      select $1, 'song~' || s || '.all', 'p' || p, s, date_trunc('second', now()) + make_interval(secs => p), uuidv7(),
        jsonb_build_object('platform', case when p = 1 then 'ios' else 'web' end),
        case when p = 2 then '{"platform": ["ios", "switch"]}'::jsonb end
      from generate_series(1, $2::int) s, generate_series(1, $3::int) p on conflict do nothing`,
    [game, SONGS, PLAYERS],
  );
  return game;
}

describe("a game with a board for each of 1,500 songs", () => {
  it("is rebuilt within what a few ticks may send, and holds what Postgres has", async () => {
    const game = await gameOfSongs();
    await world.lose();
    await world.redis.zadd("lb:active", String(Date.now()), game);
    const isReady = async () => (await world.redis.exists(activityOf(game))) === 1;
    let ticks = 0;
    while (!(await isReady())) {
      ticks += 1;
      expect(ticks).toBeLessThanOrEqual(3);
      await world.tickWithin(MOST, ticks * TICK_MS);
    }
    const wanted = await wantedBoards(world.postgres, game, Date.now());
    expect(Object.keys(wanted.changes)).toHaveLength(SONGS);
    expect(await heldBoards(world.redis, game)).toEqual(wanted);
  });

  it("is emptied of what an older copy of Redis has of its parts", async () => {
    const game = await gameOfSongs();
    await world.tick();
    await world.redis.del(activityOf(game));
    await world.redis.zadd(`lb:{${game}}:board:song~77.all:platform=switch`, "1", "a-ghost");
    await world.redis.zadd(`lb:{${game}}:board:song~78.all`, "1", "a-ghost");
    await world.tick(TICK_MS);
    expect(await heldBoards(world.redis, game)).toEqual(await wantedBoards(world.postgres, game, Date.now()));
  });
});
