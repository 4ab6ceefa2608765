import { workerComponent } from "./components/worker.ts";
import { clusterDisk } from "./components/postgres-home.ts";
import { partyComponent } from "./components/party.ts";
import type { Prepared } from "./prepared.ts";
import { type LocalCron, runCron, startCron } from "./cron.ts";
import { requireSpace, watchSpace } from "./data-dir.ts";
import { publicHost } from "./network.ts";
import { postgresPlace, requireGivenStores, requireOwnRedis } from "./given-stores.ts";
import { applyMigrations } from "./migrate.ts";
import { freePort, requireFree } from "./ports.ts";
import type { Component } from "./process/component.ts";
import { Roster } from "./roster.ts";
import { seed } from "./seed.ts";
import { type StackInfo, type StackPids, writeStackFile } from "./stack-file.ts";
import { addStores, STORE_STOP_ORDER, type StorePorts, type Stores } from "./stores.ts";
import { workerVariables } from "./worker-variables.ts";

/** The Worker first, so that its requests in flight finish with everything they ask still there; the stores last. */
const STOP_ORDER = [["worker"], ["party"], ...STORE_STOP_ORDER];

/** What a stack needs to start. */
export interface StackOptions {
  /** Where API, page and rooms listen: loopback, unless `0.0.0.0` lets the network in. */
  readonly host?: string;
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
  /** Made before, and shared with other stacks: the Worker is then not built anew, not even at a restart. */
  readonly prepared?: Prepared | undefined;
  /** Aborted: whatever has started is stopped again, and the start rejects. */
  readonly signal?: AbortSignal;
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
  const { dataDir, say = () => undefined } = options;
  await requireGivenStores(options);
  const roster = await Roster.open(dataDir, say);
  const disks = options.databaseUrl === undefined ? [dataDir, clusterDisk(dataDir)] : [dataDir];
  let cron: LocalCron | undefined;
  let space: ReturnType<typeof watchSpace> | undefined;

  async function stopAll(): Promise<void> {
    space?.stop();
    await cron?.stop();
    await roster.stop(STOP_ORDER);
  }

  let stopping: Promise<void> | undefined;
  function stop(): Promise<void> {
    if (stopping === undefined) stopping = stopAll();
    else roster.kill();
    return stopping;
  }

  options.signal?.addEventListener("abort", () => void stop());
  try {
    const port = await reserve(options.port, "PORT");
    const partyPort = await reserve(options.partyPort, "PARTY_PORT");
    for (const disk of disks) requireSpace(disk);
    space = watchSpace(disks, say);
    const addresses = { api: `http://127.0.0.1:${port}`, party: `http://${publicHost(options.host)}:${partyPort}` };
    const stores = await addStores(roster, { ...options, cluster: options.prepared?.cluster });
    const info = (): StackInfo => describeStack(stores, addresses);
    roster.onChange = () => writeStackFile(dataDir, info());
    await applyMigrations(stores.databaseUrl, otherVersion(options));
    if (options.redisUrl !== undefined) await requireOwnRedis(options.redisUrl, stores.databaseUrl);
    await startServers({ ...options, stores, addresses, port, partyPort });
    await seed({ api: addresses.api, serverKey: options.serverKey });
    // The private Redis starts empty: this brings the boards of an earlier run back before the first request.
    await runCron({ api: addresses.api, say });
    if (options.cronSeconds > 0) cron = startCron({ api: addresses.api, seconds: options.cronSeconds, say });
    options.signal?.throwIfAborted();
    return {
      get info() {
        return info();
      },
      dataDir,
      partyPushSecret: stores.secrets.partyPushSecret,
      playerTokenSecret: stores.secrets.playerTokenSecret,
      component: (name) => roster.get(name),
      logFile: (name) => roster.logFile(name),
      stop,
    };
  } catch (error) {
    await (stopping ?? stop());
    throw error;
  }
}

/** What to do about a database whose migrations are not those of this clone. */
const otherVersion = ({ databaseUrl, dataDir }: StackOptions): string =>
  databaseUrl === undefined
    ? `what DATA_DIR holds was made by another version of Edgeboard. Delete the folder ${dataDir} and start again: the local ` +
      "scores go with it"
    : `Postgres (DATABASE_URL) at ${postgresPlace(databaseUrl)} was made by another version of Edgeboard. Use an empty database`;

interface Servers extends Pick<StackOptions, "host" | "serverKey" | "prepared"> {
  readonly stores: Stores;
  readonly addresses: { readonly api: string; readonly party: string };
  readonly port: number;
  readonly partyPort: number;
}

async function startServers({ stores, addresses, host, port, partyPort, serverKey, prepared }: Servers): Promise<void> {
  const { roster, secrets } = stores;
  const worker = workerComponent({
    ...(host === undefined ? {} : { host }),
    port,
    dataDir: roster.dataDir,
    logFile: roster.logFile("worker"),
    variables: workerVariables(stores, addresses, serverKey),
    ...(prepared === undefined ? {} : { built: prepared.worker }),
  });
  const rooms = partyComponent({
    ...(host === undefined ? {} : { host }),
    port: partyPort,
    dataDir: roster.dataDir,
    logFile: roster.logFile("party"),
    variables: { PUSH_SECRET: secrets.partyPushSecret, API_URL: addresses.api },
  });
  await Promise.all([roster.start(worker), roster.start(rooms)]);
}

async function reserve(port: number, variable: string): Promise<number> {
  if (port === 0) return freePort();
  await requireFree(port, variable);
  return port;
}

function describeStack(
  { redisUrl, databaseUrl, upstashUrl, upstashToken, neonUrl, roster }: Stores,
  { api, party }: Servers["addresses"],
): StackInfo {
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
