/** Stores that the user brings with REDIS_URL and DATABASE_URL: looked at before anything is started. */
import { Redis } from "ioredis";
import { z } from "zod";
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

async function redisMajor(url: string): Promise<number> {
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
    return Number(/^redis_version:(\d+)/m.exec(await redis.info("server"))?.[1] ?? 0);
  } catch (error) {
    // "Connection is closed." says less than what closed it.
    throw reason ?? error;
  } finally {
    redis.disconnect();
  }
}

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
