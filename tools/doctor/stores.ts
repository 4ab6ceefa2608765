/**
 * Where the command-line tools find Postgres and Redis. Postgres always by TCP (Neon speaks it too, and a tool reads
 * far more than a Worker); Redis by TCP where there is an address, else by Upstash's REST interface.
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import { Redis } from "ioredis";
import { Pool } from "pg";
import { z } from "zod";
import type { Postgres } from "../../functions/adapters/postgres/client.ts";
import { createRedis, type RedisClient } from "../../functions/adapters/redis/client.ts";
import { loadLibrary, type RedisTarget } from "../../lua/loader.ts";
import { ROOT } from "../../local/paths.ts";
import { runningStack } from "../../local/running-stack.ts";
import { tcpPostgres } from "./tcp-postgres.ts";
import { tcpRedis } from "./tcp-redis.ts";

export const LIBRARY = readFileSync(path.join(ROOT, "lua", "leaderboard.lua"), "utf8");

/** A tool may wait: it has no player in front of it. */
const DEADLINE_MS = 60_000;

const Environment = z.object({
  DATABASE_URL: z.string().min(1).optional(),
  REDIS_URL: z.string().min(1).optional(),
  UPSTASH_REDIS_REST_URL: z.url().optional(),
  UPSTASH_REDIS_REST_TOKEN: z.string().min(1).optional(),
  REDIS_TARGET: z.enum(["redis", "upstash"]).optional(),
});

export type Stores = {
  readonly postgres: Postgres;
  readonly redis: RedisClient;
  readonly target: RedisTarget;
  close(): Promise<void>;
};

type Addresses = z.infer<typeof Environment>;

/** The environment's stores, or those of the stack that runs on `dataDir`. */
function addresses(source: NodeJS.ProcessEnv, dataDir: string): Addresses {
  const given = Environment.parse(source);
  const hasRedis = given.REDIS_URL !== undefined || given.UPSTASH_REDIS_REST_URL !== undefined;
  if (hasRedis && given.DATABASE_URL !== undefined) return given;
  const { redisUrl, databaseUrl } = runningStack(dataDir);
  return {
    ...given,
    DATABASE_URL: given.DATABASE_URL ?? databaseUrl,
    ...(hasRedis ? {} : { REDIS_URL: redisUrl }),
  };
}

async function connectRedis(from: Addresses) {
  if (from.REDIS_URL !== undefined) {
    const target = from.REDIS_TARGET ?? "redis";
    const redis = new Redis(from.REDIS_URL, { protocol: 2, maxRetriesPerRequest: 1, lazyConnect: true });
    // Commands report their own failures.
    redis.on("error", () => undefined);
    try {
      await redis.connect();
    } catch (error) {
      // It would try for ever, and keep the tool from ending.
      redis.disconnect();
      throw new Error("Redis does not answer", { cause: error });
    }
    const client = tcpRedis(redis, (send) => loadLibrary(send, LIBRARY, target));
    return { client, target, close: () => redis.disconnect() };
  }
  const target = from.REDIS_TARGET ?? "upstash";
  const url = from.UPSTASH_REDIS_REST_URL ?? "";
  const token = from.UPSTASH_REDIS_REST_TOKEN ?? "";
  const client = createRedis({ url, token, target, deadlineMs: DEADLINE_MS, library: LIBRARY });
  return { client, target, close: () => undefined };
}

/** Connects. Throws when a store is not there or no address is known. */
export async function openStores(source: NodeJS.ProcessEnv, dataDir: string): Promise<Stores> {
  const from = addresses(source, dataDir);
  const { client, target, close } = await connectRedis(from);
  const pool = new Pool({ connectionString: from.DATABASE_URL, max: 4, application_name: "edgeboard-tools" });
  pool.on("error", () => undefined); // the next statement reports it
  return {
    postgres: tcpPostgres(pool),
    redis: client,
    target,
    async close() {
      close();
      await pool.end();
    },
  };
}
