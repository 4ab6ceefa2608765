import { freshGameId } from "../harness/api.ts";
import type { World } from "./world.ts";

/** Games as they are after a quiet night: known to Postgres, opened in Redis, idle. */
export async function quietGames(world: World, n: number): Promise<string[]> {
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

/** The games that a tick looks at. */
export async function busyGames(world: World): Promise<string[]> {
  return (await world.redis.zrange("lb:active", "0", "-1")).filter((member) => member !== "#cron");
}

/** What a tick sends, by operation, to both endpoints. */
export async function costOfTick(world: World, laterMs = 0) {
  await Promise.all([world.upstash.reset(), world.neon.reset()]);
  await world.tick(laterMs);
  const [redis, postgres] = await Promise.all([world.upstash.stats(), world.neon.stats()]);
  return { redis, postgres };
}
