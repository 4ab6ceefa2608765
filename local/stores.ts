import { upstashComponent, neonComponent } from "./components/endpoints.ts";
import { createDatabase, embeddedDatabaseUrl, initCluster, postgresComponent } from "./components/postgres.ts";
import { preparePostgresHome } from "./components/postgres-home.ts";
import { redisBinary } from "./components/redis-binary.ts";
import { redisComponent } from "./components/redis.ts";
import { freePort } from "./ports.ts";
import { Roster } from "./roster.ts";
import { loadSecrets, type Secrets } from "./secrets.ts";

/** Ports of the stores; one that is missing or 0 is chosen. */
export interface StorePorts {
  readonly redis?: number;
  readonly postgres?: number;
  readonly upstash?: number;
  readonly neon?: number;
}

/** What the stores need to start. */
export interface StoresOptions {
  readonly dataDir: string;
  /** Use this Redis instead of a private one. */
  readonly redisUrl?: string;
  /** Use this Postgres instead of the embedded one. */
  readonly databaseUrl?: string;
  readonly ports?: StorePorts;
  /** A cluster to copy instead of making one. */
  readonly cluster?: string | undefined;
  readonly say?: (line: string) => void;
}

/** Both stores and the endpoints in front of them. */
export interface Stores {
  readonly redisUrl: string;
  readonly databaseUrl: string;
  readonly upstashUrl: string;
  readonly upstashToken: string;
  /** The `/sql` address; faults and counters are at `/__faults` and `/__stats` of its origin. */
  readonly neonUrl: string;
  readonly secrets: Secrets;
  readonly roster: Roster;
  readonly stop: () => Promise<void>;
}

/** In this order the stores stop: nothing in front of a store outlives it. */
export const STORE_STOP_ORDER = [
  ["upstash", "neon"],
  ["redis", "postgres"],
] as const;

/**
 * Starts redis-server, Postgres and their two HTTP endpoints on a DATA_DIR of their own.
 * @internal Without Worker and rooms only tests have them.
 */
export async function startStores(options: StoresOptions): Promise<Stores> {
  const roster = await Roster.open(options.dataDir, options.say ?? (() => undefined));
  try {
    return await addStores(roster, options);
  } catch (error) {
    await roster.stop(STORE_STOP_ORDER);
    throw error;
  }
}

/** Starts the stores among the components of `roster`; stopping them after a failure is left to the caller. */
export async function addStores(roster: Roster, options: Omit<StoresOptions, "dataDir" | "say">): Promise<Stores> {
  const secrets = loadSecrets(roster.dataDir);
  const [redis, postgres] = await Promise.all([
    startRedis(options, roster, secrets),
    startPostgres(options, roster, secrets),
  ]);
  return {
    ...redis,
    ...postgres,
    upstashToken: secrets.upstashToken,
    secrets,
    roster,
    stop: () => roster.stop(STORE_STOP_ORDER),
  };
}

async function startRedis(
  { redisUrl, ports }: Pick<StoresOptions, "redisUrl" | "ports">,
  roster: Roster,
  secrets: Secrets,
): Promise<Pick<Stores, "redisUrl" | "upstashUrl">> {
  const url = redisUrl ?? (await startPrivateRedis(await choose(ports?.redis), roster));
  const port = await choose(ports?.upstash);
  await roster.start(
    upstashComponent({ port, logFile: roster.logFile("upstash"), redisUrl: url, token: secrets.upstashToken }),
  );
  return { redisUrl: url, upstashUrl: `http://127.0.0.1:${port}` };
}

async function startPrivateRedis(port: number, roster: Roster): Promise<string> {
  const binary = redisBinary(roster.say);
  await roster.start(redisComponent({ binary, port, dataDir: roster.dataDir, logFile: roster.logFile("redis") }));
  return `redis://127.0.0.1:${port}`;
}

async function startPostgres(
  { databaseUrl, ports, cluster }: Pick<StoresOptions, "databaseUrl" | "ports" | "cluster">,
  roster: Roster,
  secrets: Secrets,
): Promise<Pick<Stores, "databaseUrl" | "neonUrl">> {
  const url = databaseUrl ?? (await startEmbeddedPostgres(await choose(ports?.postgres), roster, secrets, cluster));
  const port = await choose(ports?.neon);
  await roster.start(neonComponent({ port, logFile: roster.logFile("neon"), databaseUrl: url }));
  return { databaseUrl: url, neonUrl: `http://127.0.0.1:${port}/sql` };
}

async function startEmbeddedPostgres(
  port: number,
  roster: Roster,
  secrets: Secrets,
  cluster: string | undefined,
): Promise<string> {
  const home = preparePostgresHome(roster.dataDir, secrets.clusterId);
  await initCluster(home, cluster);
  await roster.start(postgresComponent({ home, port, logFile: roster.logFile("postgres") }));
  await createDatabase(port);
  return embeddedDatabaseUrl(port);
}

async function choose(port: number | undefined): Promise<number> {
  return port === undefined || port === 0 ? freePort() : port;
}
