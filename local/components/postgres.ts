import { execFile } from "node:child_process";
import { chownSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { Client, escapeIdentifier } from "pg";
import type { ComponentSpec } from "../process/component.ts";
import { endGroup } from "../process/group.ts";
import { commandLine } from "../process/table.ts";
import type { PostgresHome } from "./postgres-home.ts";

const USER = "edgeboard";
// Loopback only, and as public as the dev server key: it keeps a stray program from writing into the wrong database.
const PASSWORD = "edgeboard";
const DATABASE = "edgeboard";

const SETTINGS: Readonly<Record<string, string>> = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  max_connections: "100",
  fsync: "on",
  synchronous_commit: "on",
  timezone: "UTC",
  log_timezone: "UTC",
  lc_messages: "C",
};

/** The URL of the embedded database. */
export function embeddedDatabaseUrl(port: number, database = DATABASE): string {
  return `postgresql://${USER}:${PASSWORD}@127.0.0.1:${port}/${database}`;
}

/** Makes the cluster on the first start, as a copy of `prepared` where one is given; afterwards it keeps its data. */
export async function initCluster(home: PostgresHome, prepared?: string): Promise<void> {
  if (existsSync(home.clusterDir)) return;
  // Made under another name and renamed, so that an interrupted initdb leaves nothing that looks like a cluster.
  const unfinished = `${home.clusterDir}.new`;
  const passwordFile = `${home.clusterDir}.password`;
  rmSync(unfinished, { recursive: true, force: true });
  if (prepared !== undefined) {
    await promisify(execFile)("cp", ["-a", prepared, unfinished]);
    renameSync(unfinished, home.clusterDir);
    return;
  }
  mkdirSync(unfinished, { mode: 0o700 });
  if (home.uid !== undefined && home.gid !== undefined) chownSync(unfinished, home.uid, home.gid);
  writeFileSync(passwordFile, `${PASSWORD}\n`);
  await promisify(execFile)(
    path.join(home.binDir, "initdb"),
    [
      "--pgdata",
      unfinished,
      "--username",
      USER,
      "--pwfile",
      passwordFile,
      "--auth",
      "scram-sha-256",
      "--encoding",
      "UTF8",
      "--locale",
      "C",
      "--locale-provider",
      "builtin",
      "--builtin-locale",
      "C.UTF-8",
      "--no-instructions",
    ],
    { ...identity(home), cwd: "/" },
  );
  rmSync(passwordFile);
  renameSync(unfinished, home.clusterDir);
}

/** The embedded Postgres server. */
export function postgresComponent({
  home,
  port,
  logFile,
}: {
  home: PostgresHome;
  port: number;
  logFile: string;
}): ComponentSpec {
  const settings = Object.entries(SETTINGS).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  return {
    name: "postgres",
    port,
    logFile,
    command: async () => {
      await clearStaleLock(home.clusterDir);
      return {
        file: path.join(home.binDir, "postgres"),
        args: ["-D", home.clusterDir, "-p", String(port), ...settings],
        cwd: "/",
        ...identity(home),
      };
    },
    probe: () => withClient(embeddedDatabaseUrl(port, "postgres"), (client) => client.query("select 1")),
    readyTimeoutMs: 30_000,
    // SIGINT is the fast shutdown: open transactions are rolled back, committed ones are safe.
    stopSignal: "SIGINT",
    graceMs: 15_000,
  };
}

/** Creates the service's database, or another one, when it is not there yet. */
export async function createDatabase(port: number, name = DATABASE): Promise<void> {
  await withClient(embeddedDatabaseUrl(port, "postgres"), async (client) => {
    const { rowCount } = await client.query("select 1 from pg_database where datname = $1", [name]);
    if (rowCount === 0) await client.query(`create database ${escapeIdentifier(name)}`);
  });
}

/** Runs `work` on a connection of its own. */
export async function withClient(databaseUrl: string, work: (client: Client) => Promise<unknown>): Promise<void> {
  const client = new Client({ connectionString: databaseUrl, connectionTimeoutMillis: 2_000 });
  client.on("error", () => undefined);
  try {
    await client.connect();
    await work(client);
  } finally {
    await client.end();
  }
}

/**
 * Postgres refuses to start while the pid in postmaster.pid belongs to any process. After a kill -9 that pid may be a
 * server of ours that lost its stack (ended here), or another program that got the number (the file is then stale).
 */
async function clearStaleLock(clusterDir: string): Promise<void> {
  const lock = path.join(clusterDir, "postmaster.pid");
  if (!existsSync(lock)) return;
  const pid = Number(readFileSync(lock, "utf8").split("\n")[0]);
  if (commandLine(pid).includes(clusterDir)) await endGroup(pid, "SIGINT", 15_000);
  rmSync(lock, { force: true });
}

function identity({ uid, gid }: PostgresHome): { uid?: number; gid?: number } {
  return uid === undefined || gid === undefined ? {} : { uid, gid };
}
