/** Postgres and Redis behind the shared stack, for tests that look at what is stored. */
import { Redis } from "ioredis";
import pg from "pg";
import { afterAll } from "vitest";
import { z } from "zod";
import { activityKey, rebuildKey } from "../../functions/adapters/redis/keys.ts";
import { stack } from "./stack.ts";

const bestRow = z.object({
  board: z.string(),
  player: z.string(),
  points: z.coerce.number(),
  achieved_at: z.date(),
  country: z.string().nullable(),
});
export type BestRow = z.infer<typeof bestRow>;

/** Connections of the calling test file; closed after its last test. */
export function openStores() {
  const { databaseUrl, redisUrl } = stack();
  const postgres = new pg.Pool({ connectionString: databaseUrl, max: 2 });
  const redis = new Redis(redisUrl);
  afterAll(async () => {
    await postgres.end();
    redis.disconnect();
  });

  const numberOf = async (statement: string, parameters: readonly unknown[]) => {
    const { rows } = await postgres.query(statement, [...parameters]);
    return z.object({ n: z.coerce.number() }).parse(rows[0]).n;
  };

  return {
    postgres,
    redis,
    /** Submissions of a game that Postgres holds. */
    submissions: (game: string) => numberOf("select count(*) as n from submissions where game = $1", [game]),
    /** Bests of a game in the order of its boards. */
    async bests(game: string): Promise<BestRow[]> {
      const { rows } = await postgres.query(
        `select board, player, points, achieved_at, country from bests where game = $1
          order by board, points desc, achieved_at, player desc`,
        [game],
      );
      return z.array(bestRow).parse(rows);
    },
    /** How many players each board of a game has by Postgres' own count, boards with players only. */
    async boardSizes(game: string): Promise<Record<string, number>> {
      const { rows } = await postgres.query(
        `select board, sum(players) as players from board_sizes where game = $1
          group by board having sum(players) <> 0 order by board`,
        [game],
      );
      const sizes = z.array(z.object({ board: z.string(), players: z.coerce.number() })).parse(rows);
      return Object.fromEntries(sizes.map(({ board, players }) => [board, players]));
    },
    /** Redis keys of a game, except those that come and go by themselves (push lease, rebuild lease). */
    async keys(game: string): Promise<string[]> {
      const found: string[] = [];
      let cursor = "0";
      do {
        const [next, page] = await redis.scan(cursor, "MATCH", `lb:{${game}}:*`, "COUNT", 1_000);
        found.push(...page);
        cursor = next;
      } while (cursor !== "0");
      return [...new Set(found)].filter((key) => !/:(push|rebuild(:state)?)$/.test(key)).sort();
    },
    /** Rows of a game that a submission would have left in Postgres. */
    rows: (game: string) =>
      numberOf(
        `select (select count(*) from submissions where game = $1) + (select count(*) from bests where game = $1)
          + (select count(*) from players where game = $1) as n`,
        [game],
      ),
    /** Makes Redis lose the game's feed, so that it counts as lost, and keeps everybody from rebuilding it. */
    async lose(game: string): Promise<void> {
      await redis.set(rebuildKey(game), "test", "PX", 60_000);
      await redis.del(activityKey(game));
    },
    /** Lets the next reader rebuild a game that `lose` took. */
    async allowRebuild(game: string): Promise<void> {
      await redis.del(rebuildKey(game));
    },
  };
}
