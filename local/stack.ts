import { drainWorker, workerComponent } from "./components/worker.ts";
import { partyComponent } from "./components/party.ts";
import { type LocalCron, startCron } from "./cron.ts";
import { applyMigrations } from "./migrate.ts";
import { freePort, requireFree } from "./ports.ts";
import type { Component } from "./process/component.ts";
import { seed } from "./seed.ts";
import { type StackInfo, type StackPids, writeStackFile } from "./stack-file.ts";
import { STORE_STOP_ORDER, startStores, type StorePorts, type Stores } from "./stores.ts";

/** What a stack needs to start. */
export interface StackOptions {
  /** 0 chooses a free port. */
  readonly port: number;
  /** 0 chooses a free port. */
  readonly partyPort: number;
  readonly dataDir: string;
  readonly serverKey: string;
  /** 0 never fires the cron. */
  readonly cronSeconds: number;
  readonly redisUrl?: string;
  readonly databaseUrl?: string;
  readonly ports?: StorePorts;
  /** Progress and incidents, a line each. */
  readonly say?: (line: string) => void;
}

/** The components of a stack, by the names they have in `stack.json`. */
export type ComponentName = Exclude<keyof StackPids, "stack">;

/** A running stack. */
export interface Stack {
  /** What `DATA_DIR/stack.json` holds, at this moment. */
  readonly info: StackInfo;
  readonly dataDir: string;
  /** Shared secret of Worker and room; signs a room push. */
  readonly partyPushSecret: string;
  /** Signs player tokens. */
  readonly playerTokenSecret: string;
  readonly component: (name: ComponentName) => Component | undefined;
  readonly logFile: (name: ComponentName) => string;
  /** Lets requests in flight finish and stops everything; no process is left. Asked a second time it hurries. */
  readonly stop: () => Promise<void>;
}

/** Starts the whole service on this machine and resolves when it can take scores. */
export async function startStack(options: StackOptions): Promise<Stack> {
  const say = options.say ?? (() => undefined);
  const port = await reserve(options.port, "PORT");
  const partyPort = await reserve(options.partyPort, "PARTY_PORT");
  const stores = await startStores({ ...options, say });
  const { roster, secrets } = stores;
  const api = `http://127.0.0.1:${port}`;
  const party = `http://127.0.0.1:${partyPort}`;
  const info = (): StackInfo => describe(stores, { api, party });
  roster.onChange = () => writeStackFile(options.dataDir, info());
  let cron: LocalCron | undefined;

  async function stopAll(): Promise<void> {
    await cron?.stop();
    await drainWorker(roster.pid("worker"), port);
    await roster.stop([["party"], ["worker"], ...STORE_STOP_ORDER]);
  }

  let stopping: Promise<void> | undefined;
  function stop(): Promise<void> {
    if (stopping === undefined) stopping = stopAll();
    else roster.kill();
    return stopping;
  }

  try {
    await applyMigrations(stores.databaseUrl);
    const worker = workerComponent({
      port, dataDir: options.dataDir, logFile: roster.logFile("worker"), variables: workerVariables(options, stores, party),
    });
    const rooms = partyComponent({
      port: partyPort, dataDir: options.dataDir, logFile: roster.logFile("party"),
      variables: { PUSH_SECRET: secrets.partyPushSecret, API_URL: api },
    });
    await Promise.all([roster.start(worker), roster.start(rooms)]);
    await seed({ api, serverKey: options.serverKey });
  } catch (error) {
    await stop();
    throw error;
  }
  if (options.cronSeconds > 0) cron = startCron({ api, seconds: options.cronSeconds, say });

  return {
    get info() {
      return info();
    },
    dataDir: options.dataDir,
    partyPushSecret: secrets.partyPushSecret,
    playerTokenSecret: secrets.playerTokenSecret,
    component: (name) => roster.get(name),
    logFile: (name) => roster.logFile(name),
    stop,
  };
}

async function reserve(port: number, variable: string): Promise<number> {
  if (port === 0) return freePort();
  await requireFree(port, variable);
  return port;
}

function workerVariables({ serverKey }: StackOptions, stores: Stores, party: string): Record<string, string> {
  return {
    UPSTASH_REDIS_REST_URL: stores.upstashUrl,
    UPSTASH_REDIS_REST_TOKEN: stores.upstashToken,
    DATABASE_URL: stores.databaseUrl,
    NEON_SQL_ENDPOINT: stores.neonUrl,
    REDIS_TARGET: "redis",
    PARTY_URL: party,
    PARTY_PUSH_SECRET: stores.secrets.partyPushSecret,
    SERVER_KEY: serverKey,
    PLAYER_TOKEN_SECRET: stores.secrets.playerTokenSecret,
  };
}

function describe({ redisUrl, databaseUrl, upstashUrl, upstashToken, neonUrl, roster }: Stores, { api, party }: { api: string; party: string }): StackInfo {
  const pids: StackPids = {
    redis: roster.pid("redis"),
    postgres: roster.pid("postgres"),
    upstash: roster.pid("upstash"),
    neon: roster.pid("neon"),
    worker: roster.pid("worker"),
    party: roster.pid("party"),
    stack: process.pid,
  };
  return { api, party, redisUrl, databaseUrl, upstashUrl, upstashToken, neonUrl, pids };
}
