/**
 * Where the command-line tools find Postgres and Redis. Postgres always by TCP (Neon speaks it too, and a tool reads
 * far more than a Worker); Redis by TCP where there is an address, else by Upstash's REST interface.
 */
import { Redis } from "ioredis";
import { Pool } from "pg";
import { z } from "zod";
import type { Postgres } from "../../functions/adapters/postgres/client.ts";
import { createRedis, type RedisClient } from "../../functions/adapters/redis/client.ts";
import { createStoreMarks } from "../../functions/adapters/store-marks.ts";
import type { StoreMarks } from "../../functions/services/operations/ports.ts";
import { adopt, belonging, markTogether } from "../../functions/services/operations/store-marks.ts";
import { libraryText } from "../../lua/library.ts";
import { loadLibrary, type RedisTarget } from "../../lua/loader.ts";
import { reasonOf } from "../../local/failure.ts";
import { postgresPlace, redisPlace } from "../../local/given-stores.ts";
import { runningStack, type RunningStack } from "../../local/running-stack.ts";
import { tcpPostgres } from "./tcp-postgres.ts";
import { tcpRedis } from "./tcp-redis.ts";

export const LIBRARY = libraryText();

/** A tool may wait: it has no player in front of it. */
const DEADLINE_MS = 60_000;
const CONNECT_MS = 10_000;

const Environment = z.object({
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  REDIS_URL: z.url({ protocol: /^rediss?$/ }).optional(),
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

/**
 * The environment's stores, or those of the stack that runs on `dataDir`: both or neither, so that the Redis of one never
 * meets the Postgres of another. One alone counts only where it is the running stack's own.
 */
function addresses(source: NodeJS.ProcessEnv, dataDir: string): Addresses {
  const set = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ""));
  const parsed = Environment.safeParse(set);
  if (!parsed.success) {
    const names = [...new Set(parsed.error.issues.map(({ path }) => path.join(".")))];
    throw new Error(`the environment is not usable: ${names.join(", ")}`);
  }
  const given = parsed.data;
  if (given.UPSTASH_REDIS_REST_URL !== undefined && given.UPSTASH_REDIS_REST_TOKEN === undefined)
    throw new Error("UPSTASH_REDIS_REST_URL is set and UPSTASH_REDIS_REST_TOKEN is not");
  const hasRedis = given.REDIS_URL !== undefined || given.UPSTASH_REDIS_REST_URL !== undefined;
  const hasPostgres = given.DATABASE_URL !== undefined;
  if (hasRedis && hasPostgres) return given;
  const stack = hasRedis || hasPostgres ? runningStackOr(dataDir) : runningStack(dataDir);
  const own =
    stack !== undefined && [stack.redisUrl, stack.databaseUrl].includes(given.REDIS_URL ?? given.DATABASE_URL ?? "");
  if (hasRedis && !own)
    throw new Error("the environment names a Redis and no Postgres: set DATABASE_URL as well, or neither");
  if (hasPostgres && !own)
    throw new Error(
      "DATABASE_URL is set and no Redis: set REDIS_URL, or UPSTASH_REDIS_REST_URL and _TOKEN, as well, or neither",
    );
  return { ...given, DATABASE_URL: stack?.databaseUrl, REDIS_URL: stack?.redisUrl };
}

function runningStackOr(dataDir: string): RunningStack | undefined {
  try {
    return runningStack(dataDir);
  } catch {
    return undefined;
  }
}

/** Which stores are meant: hosts, ports and databases, no secrets. */
const placesOf = (from: Addresses): { redis: string; postgres: string } => ({
  redis: from.REDIS_URL === undefined ? new URL(from.UPSTASH_REDIS_REST_URL ?? "").host : redisPlace(from.REDIS_URL),
  postgres: postgresPlace(from.DATABASE_URL ?? ""),
});

async function connectRedis(from: Addresses, place: string) {
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
      throw new Error(`Redis ${place} does not answer: ${reasonOf(error)}`, { cause: error });
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

export type Opening = {
  /** The tool is going to write: a Redis without a mark gets one. */
  readonly writes?: boolean;
  /** Take over a Redis that belongs to another deployment. */
  readonly adopt?: boolean;
  readonly say?: (line: string) => void;
};

/** Throws when the stores are known not to belong together, before anything is written. */
async function join(
  marks: StoreMarks,
  { redis, postgres }: ReturnType<typeof placesOf>,
  opening: Opening,
): Promise<void> {
  const found = await belonging(marks).catch((error: unknown) => {
    throw new Error(`Redis ${redis} or Postgres ${postgres} cannot be read: ${reasonOf(error)}`, { cause: error });
  });
  if (found === "foreign" && opening.adopt !== true)
    throw new Error(
      `Redis ${redis} and Postgres ${postgres} belong to two deployments; nothing was written. If this Redis is meant to be ` +
        "this Postgres's from now on, empty it and say so with `npm run doctor -- --adopt --repair`",
    );
  if (opening.adopt === true) await adopt(marks);
  else if (opening.writes === true && found === "unmarked") await markTogether(marks);
}

/** Connects. Throws when a store is not there, no address is known, or the two do not belong together. */
export async function openStores(source: NodeJS.ProcessEnv, dataDir: string, opening: Opening = {}): Promise<Stores> {
  const from = addresses(source, dataDir);
  const places = placesOf(from);
  opening.say?.(`Redis ${places.redis}, Postgres ${places.postgres}`);
  const { client, target, close } = await connectRedis(from, places.redis);
  const pool = new Pool({
    connectionString: from.DATABASE_URL,
    max: 4,
    application_name: "edgeboard-tools",
    connectionTimeoutMillis: CONNECT_MS,
  });
  pool.on("error", () => undefined); // the next statement reports it
  const stores = {
    postgres: tcpPostgres(pool),
    redis: client,
    target,
    async close() {
      close();
      await pool.end();
    },
  };
  try {
    await join(createStoreMarks(stores.postgres, stores.redis), places, opening);
    return stores;
  } catch (error) {
    await stores.close();
    throw error;
  }
}
