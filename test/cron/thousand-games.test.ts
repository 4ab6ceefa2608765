import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freshGameId } from "../harness/api.ts";
import { startWorld, type World } from "./world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

const ACTIVE = "lb:active";
const busy = async () => (await world.redis.zrange(ACTIVE, "0", "-1")).filter((member) => member !== "#cron");

/** What a tick sends, by operation, to both endpoints. */
async function costOfTick() {
  await Promise.all([world.upstash.reset(), world.neon.reset()]);
  await world.tick();
  const [redis, postgres] = await Promise.all([world.upstash.stats(), world.neon.stats()]);
  return { redis, postgres };
}

/** Games as they are after a quiet night: known to Postgres, opened in Redis, idle. */
async function quietGames(n: number): Promise<string[]> {
  const games = Array.from({ length: n }, freshGameId);
  await world.postgres.query(
    `insert into games (game, badges, feed_length, max_points)
      select g, '[{"badge": "bronze", "threshold": 1000}]', 1000, 1000000 from unnest($1::text[]) as g`,
    [games],
  );
  const pipeline = world.redis.pipeline();
  for (const game of games) {
    pipeline.xgroup("CREATE", `lb:{${game}}:activity`, "badges", "0", "MKSTREAM");
  }
  await pipeline.exec();
  return games;
}

describe("a thousand games", () => {
  it("of which three are active cost commands for those three", async () => {
    await world.tick();
    const [a = "", b = "", c = ""] = await quietGames(1_000);
    const idle = await costOfTick();
    expect(idle.redis.operations).toBe(2);
    expect(idle.postgres.operations).toBe(0);

    await world.submit(a, { player: "ann", points: 1_000 });
    await world.submit(b, { player: "bob", points: 999 });
    await world.submit(c, { player: "cid", points: 5_000 });
    expect((await busy()).toSorted()).toEqual([a, b, c].toSorted());
    const { redis, postgres } = await costOfTick();
    expect(redis.operations).toBeLessThanOrEqual(2 + 3 * 10);
    expect(redis.byName).toMatchObject({ XREADGROUP: 3, XACK: 3, ZRANGE: 1 });
    expect(postgres.operations).toBeLessThanOrEqual(3 * 8);
    expect(await world.badges(a)).toEqual(["ann bronze"]);
    expect(await world.badges(c)).toEqual(["cid bronze"]);
  });
});
