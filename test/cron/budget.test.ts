import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freshGameId } from "../harness/api.ts";
import { startWorld, type World } from "./world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

const LONG = process.env["EDGEBOARD_LONG"] === "1";
const ACTIVE = "lb:active";
const MINUTE_MS = 60_000;
const NO_SUBMISSION = "00000000-0000-7000-8000-000000000000";
const busy = async () => (await world.redis.zrange(ACTIVE, "0", "-1")).filter((member) => member !== "#cron");

/** Games with a submission each, an hour old, that no tick has seen: everything is left to do for them. */
async function busyGames(n: number): Promise<string[]> {
  const games = Array.from({ length: n }, freshGameId);
  await world.postgres.query(
    `insert into games (game, badges, feed_length, max_points)
      select g, '[{"badge": "bronze", "threshold": 1000}]', 1000, 1000000 from unnest($1::text[]) as g`,
    [games],
  );
  await world.postgres.query("update badge_rules set starts_at = starts_at - interval '1 day' where game = any($1)", [
    games,
  ]);
  const { rows } = await world.postgres.query<{ id: string; game: string }>(
    `insert into submissions (id, game, player, idempotency_key, request, points, week, submitted_at, received_at)
      select uuidv7(interval '-1 hour'), g, 'ann', 'k', '', 2000, to_char(now() at time zone 'UTC', 'IYYY-"W"IW'),
        now() - interval '1 hour', now() - interval '1 hour' from unnest($1::text[]) as g
      returning id, game`,
    [games],
  );
  await world.postgres.query(
    `insert into bests (game, board, player, points, achieved_at, submission_id)
      select s.game, b, s.player, s.points, date_trunc('second', s.submitted_at), s.id
      from submissions s, lateral (values (s.week), ('all-time')) boards (b) where s.game = any($1)`,
    [games],
  );
  const pipeline = world.redis.pipeline();
  for (const { id, game } of rows) {
    const stream = `lb:{${game}}:activity`;
    pipeline.xgroup("CREATE", stream, "badges", "0", "MKSTREAM");
    const event = ["player", "ann", "points", "2000", "best", "2000", "rank", "1", "week", "2026-W01", "at", "0"];
    pipeline.xadd(stream, "*", "submission", id, ...event);
    pipeline.zadd(ACTIVE, String(Date.now() - MINUTE_MS), game);
  }
  await pipeline.exec();
  return games;
}

/** Ticks on a platform that refuses more than `limit` requests a run, until no game is left in the list. */
async function tickUntilCalm(limit: number, mostTicks: number): Promise<number[]> {
  const sent: number[] = [];
  for (let minute = 1; (await busy()).length > 0; minute++) {
    expect(minute).toBeLessThanOrEqual(mostTicks);
    sent.push(await world.tickWithin(limit, MINUTE_MS * minute));
  }
  return sent;
}

const badgesOf = async (games: readonly string[]) =>
  (await world.postgres.query("select game from badges where game = any($1)", [games])).rowCount;

describe("a tick with more busy games than it may send requests for", { shuffle: false }, () => {
  const n = LONG ? 1_000 : 25;
  const limit = LONG ? 10_000 : 250;

  it(`of ${n} games looks after all within its limit of ${limit}, and the list empties`, async () => {
    await world.tick();
    const games = await busyGames(n);
    const sent = await tickUntilCalm(limit, 5);
    expect(await badgesOf(games)).toBe(n);
    console.log(`${n} busy games, ${limit} requests a run: ${sent.join(", ")} requests sent`);
  });

  it("releases games as it goes, and gets around to all of them under any limit", async () => {
    const games = await busyGames(30);
    await world.tickWithin(220, MINUTE_MS);
    const awarded = await badgesOf(games);
    expect(awarded).toBeGreaterThan(5);
    expect(awarded).toBeLessThan(30);
    await tickUntilCalm(220, 8);
    expect(await badgesOf(games)).toBe(30);
  });

  it("goes on where the tick before ended, also when none of the games can leave the list", async () => {
    const games = await busyGames(20);
    // Marked again and again: they are being played.
    const play = () => Promise.all(games.map((game) => world.redis.zadd(ACTIVE, String(Date.now()), game)));
    for (let i = 0; i < 10 && (await badgesOf(games)) !== 20; i++) {
      await play();
      await world.tickWithin(90);
    }
    expect(await badgesOf(games)).toBe(20);
    await tickUntilCalm(1_000, 5);
  });

  it("makes way with the fifty requests of a free account", async () => {
    const games = await busyGames(3);
    await tickUntilCalm(50, 6);
    expect(await badgesOf(games)).toBe(3);
  });

  it("gives one game's backlog no more than leaves the others theirs", async () => {
    const games = await busyGames(20);
    const [backlog = ""] = await busyGames(1);
    const pipeline = world.redis.pipeline();
    const event = ["player", "ann", "points", "1", "best", "2000", "rank", "1", "week", "2026-W01", "at", "0"];
    for (let i = 0; i < 60_000; i++)
      pipeline.xadd(`lb:{${backlog}}:activity`, "*", "submission", NO_SUBMISSION, ...event);
    await pipeline.exec();
    // Its turn is first: were it to take what it can, some of the others would get nothing.
    await world.redis.set("lb:active:next", backlog);
    await world.tickWithin(21 * 24 + 10, MINUTE_MS);
    expect(await badgesOf(games)).toBe(20);
    await world.redis.xtrim(`lb:{${backlog}}:activity`, "MAXLEN", 0);
    await tickUntilCalm(1_000, 8);
  });
});
