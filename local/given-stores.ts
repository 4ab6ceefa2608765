/** Stores that the user brings with REDIS_URL and DATABASE_URL: looked at before anything is started. */
import { Redis } from "ioredis";
import { z } from "zod";
import { DEPLOYMENT_KEY } from "../functions/adapters/redis/keys.ts";
import { withClient } from "./components/postgres.ts";
import { reasonOf } from "./failure.ts";

const CONNECT_MS = 3_000;
/** Functions came with 7.0. */
const REDIS_MAJOR = 7;
/** `uuidv7()` came with 18. */
const POSTGRES_MAJOR = 18;

/** Where a store is: host, port and database, without user and password. */
function placeOf(url: string, defaultPort: number): string {
  const { hostname, port, pathname } = new URL(url);
  return `${hostname || "localhost"}:${port || defaultPort}${pathname === "/" ? "" : pathname}`;
}

export const redisPlace = (url: string): string => placeOf(url, 6_379);
export const postgresPlace = (url: string): string => placeOf(url, 5_432);

async function onRedis<T>(url: string, work: (redis: Redis) => Promise<T>): Promise<T> {
  const redis = new Redis(url, {
    protocol: 2,
    lazyConnect: true,
    connectTimeout: CONNECT_MS,
    commandTimeout: CONNECT_MS,
    enableReadyCheck: false,
    retryStrategy: () => null,
  });
  let reason: unknown;
  redis.on("error", (error) => (reason = error));
  try {
    await redis.connect();
    return await work(redis);
  } catch (error) {
    // "Connection is closed." says less than what closed it.
    throw reason ?? error;
  } finally {
    redis.disconnect();
  }
}

const redisMajor = (url: string): Promise<number> =>
  onRedis(url, async (redis) => Number(/^redis_version:(\d+)/m.exec(await redis.info("server"))?.[1] ?? 0));

async function postgresMajor(url: string): Promise<number> {
  let major = 0;
  await withClient(url, async (client) => {
    const { rows } = await client.query("select current_setting('server_version_num')::int / 10000 as major");
    major = z.object({ major: z.int() }).parse(rows[0]).major;
  });
  return major;
}

async function require(what: string, place: string, wanted: number, look: () => Promise<number>): Promise<void> {
  const major = await look().catch((error: unknown) => {
    throw new Error(`${what} at ${place} cannot be used: ${reasonOf(error)}`, { cause: error });
  });
  if (major < wanted) throw new Error(`${what} at ${place} is version ${major}; Edgeboard needs ${wanted} or newer`);
}

/** Throws in words when a store that was given cannot be used. */
export async function requireGivenStores(given: {
  readonly redisUrl?: string;
  readonly databaseUrl?: string;
}): Promise<void> {
  const { redisUrl, databaseUrl } = given;
  await Promise.all([
    redisUrl !== undefined &&
      require("Redis (REDIS_URL)", redisPlace(redisUrl), REDIS_MAJOR, () => redisMajor(redisUrl)),
    databaseUrl !== undefined &&
      require("Postgres (DATABASE_URL)", postgresPlace(databaseUrl), POSTGRES_MAJOR, () => postgresMajor(databaseUrl)),
  ]);
}

/** Marks a Redis that was given as this Postgres's. Throws when it is another deployment's. */
export async function requireOwnRedis(redisUrl: string, databaseUrl: string): Promise<void> {
  let id = "";
  await withClient(databaseUrl, async (client) => {
    const { rows } = await client.query("select deployment_id_v1() as id");
    id = z.object({ id: z.uuid() }).parse(rows[0]).id;
  });
  const held = await onRedis(redisUrl, async (redis) => {
    await redis.set(DEPLOYMENT_KEY, id, "NX");
    return redis.get(DEPLOYMENT_KEY);
  });
  if (held !== id)
    throw new Error(
      `Redis (REDIS_URL) at ${redisPlace(redisUrl)} holds the boards of another deployment than Postgres at ` +
        `${postgresPlace(databaseUrl)}. Use another database of it (redis://host:port/1), or empty this one with FLUSHDB`,
    );
}
