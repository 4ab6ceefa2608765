import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { MAX_EXPORT } from "../../functions/contract/moderation.ts";
import { DAILY, withBoards } from "./boards.ts";
import { passMinute } from "./history.ts";
import { activityOf } from "./stream.ts";
import { startWorld, type World } from "./world.ts";
import { allTimeKey } from "../harness/board-keys.ts";

const DEADLINE_MS = 1_500;
const PLAYERS = 30;

let world: World;
beforeAll(async () => {
  world = await startWorld({ postgres: DEADLINE_MS, redis: 20_000, room: 20_000 });
});
afterEach(() => world.neon.faults([]));
afterAll(() => world.stop());

const scores = Array.from({ length: PLAYERS }, (_, i) => ({ player: `p${i}`, points: 1_000 + i }));

/** Statements with this number among their parameters, a full page, outlive their deadline; others do not. */
const tooSlow = (size: number) =>
  world.neon.faults([{ match: `"${size}"`, action: "delay", delayMs: DEADLINE_MS * 20 }]);

/** Ticks as long as it takes, within a bound. */
async function ticksUntil(done: () => Promise<boolean>): Promise<number> {
  for (let n = 1; n <= 5; n += 1) {
    await world.tick();
    if (await done()) return n;
  }
  throw new Error("not within five ticks");
}

describe("a page whose statement outlives its deadline is shorter the next time:", () => {
  it("a rebuild comes to its end", async () => {
    const game = await world.game();
    await world.submit(game, ...scores);
    await tooSlow(5_000);
    await world.redis.flushall();
    await ticksUntil(async () => (await world.redis.exists(activityOf(game))) === 1);
    expect(await world.redis.zcard(allTimeKey(game))).toBe(PLAYERS);
  });

  /** Whether a job has come to the newest submission of the game. */
  async function arrived(game: string, position: string): Promise<boolean> {
    const text = `select ${position} = (select s.id from submissions s where s.game = $1 order by s.id desc limit 1) as done`;
    const [row] = await world.rows(z.object({ done: z.boolean().nullable() }), text, [game]);
    return row?.done ?? false;
  }

  it.each([
    { page: "submissions", size: 1_000 },
    { page: "events that the feed may lack", size: 800 },
  ])("reconciling comes to the newest submission, a page of $page", async ({ size }) => {
    const game = await world.game();
    await world.submit(game, ...scores);
    await passMinute(world, game);
    await tooSlow(size);
    await ticksUntil(() => arrived(game, "(select verified_until from reconciliations where game = $1)"));
  });

  it("awarding badges comes to the newest submission", async () => {
    const game = await world.game();
    await world.submit(game, ...scores);
    await passMinute(world, game);
    await tooSlow(20_000);
    await ticksUntil(() => arrived(game, "(select position from badge_positions where game = $1)"));
  });

  it("what moderators did in an outage is followed", async () => {
    const game = await world.game();
    await world.submit(game, ...scores);
    await world.upstash.faults([{ action: "status" }]);
    await world.api("PUT", `/v1/games/${game}/players/p3/ban`);
    await world.upstash.faults([]);
    await world.postgres.query("update corrections set at = at - interval '4 minutes' where game = $1", [game]);
    await tooSlow(100);
    const left = async () => (await world.postgres.query("select from corrections where game = $1", [game])).rowCount;
    await ticksUntil(async () => (await left()) === 0);
    expect(await world.redis.zscore(allTimeKey(game), "p3")).toBeNull();
  });

  it("rows of periods are there", async () => {
    const boards = withBoards(world);
    const game = await boards.game({ laps: DAILY });
    await world.postgres.query("delete from periods where game = $1", [game]);
    await world.redis.flushall();
    await tooSlow(100);
    await ticksUntil(async () => (await boards.rows(game)).length === 3);
  });

  it("a player's file comes in shorter pages", async () => {
    const game = await world.game();
    await world.submit(game, ...scores);
    await tooSlow(MAX_EXPORT + 1);
    const found = await world.api("GET", `/v1/games/${game}/players/p3/export`);
    expect(z.looseObject({ submissions: z.array(z.unknown()) }).parse(found).submissions).toHaveLength(1);
  });
});
