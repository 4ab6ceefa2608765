import { spawnSync } from "node:child_process";
import { existsSync, realpathSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { createHash } from "node:crypto";

// Plain JavaScript without dependencies, for any Node >= 20: this runs before anything is installed.

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
const modules = path.join(root, "node_modules");
const stamp = path.join(modules, ".edgeboard-lock");

/** Installs the dependencies by the lockfile unless exactly these are there already. */
export function installDependencies() {
  requireNode20();
  const lock = createHash("sha256").update(readFileSync(path.join(root, "package-lock.json"))).digest("hex");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === lock) return;
  if (npmInstalledTheSame()) return writeFileSync(stamp, lock);
  console.log("installing the dependencies by package-lock.json (once; needs the npm registry) …");
  const startedAt = Date.now();
  const heartbeat = spawnHeartbeat();
  const { status, signal } = spawnSync("npm", ["ci", "--loglevel=error"], { cwd: root, stdio: "inherit", shell: process.platform === "win32" });
  heartbeat.kill();
  if (status !== 0) {
    console.error(`npm ci failed (${signal ?? `exit code ${status}`}); the dependencies are not installed`);
    rmSync(stamp, { force: true });
    process.exit(status ?? 1);
  }
  writeFileSync(stamp, lock);
  console.log(`dependencies installed in ${Math.round((Date.now() - startedAt) / 1000)} s`);
}
