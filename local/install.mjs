import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

// Plain JavaScript without dependencies for any Node >= 20: this runs before anything is installed.

const HEARTBEAT_MS = 5_000;

/** The clone. */
export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");

/** The pinned Node 24 that everything else runs on; it comes as the npm package `node`. */
export const pinnedNode = path.join(root, "node_modules", "node", "bin", "node");

/** Lets a program of ours end with the launcher that started it. */
export const withParent = pathToFileURL(path.join(root, "local", "process", "with-parent.mjs")).href;

/** Installs the dependencies by the lockfile unless exactly these are there already. Throws when that fails. */
export async function installDependencies() {
  const major = Number(process.versions.node.split(".")[0]);
  if (major < 20)
    throw new Error(`Node ${process.versions.node} is too old: Edgeboard needs Node 20 or newer to start`);
  if (isInstalled()) return;
  console.log("installing the dependencies by package-lock.json (once) …");
  const startedAt = Date.now();
  const seconds = () => Math.round((Date.now() - startedAt) / 1_000);
  const heartbeat = setInterval(() => console.log(`  still installing, ${seconds()} s`), HEARTBEAT_MS);
  try {
    await npmCi();
  } finally {
    clearInterval(heartbeat);
  }
  if (!existsSync(pinnedNode)) {
    throw new Error(
      "npm did not run the install script of the package `node` (ignore-scripts?), so the pinned Node 24 is missing",
    );
  }
  console.log(`dependencies installed in ${seconds()} s`);
}

function npmCi() {
  return new Promise((resolve, reject) => {
    const npm = spawn("npm", ["ci", "--loglevel=error"], { cwd: root, stdio: "inherit" });
    const forward = (signal) => npm.kill(signal);
    process.once("SIGINT", forward).once("SIGTERM", forward);
    npm.once("error", reject);
    npm.once("exit", (code, signal) => {
      process.off("SIGINT", forward).off("SIGTERM", forward);
      if (code === 0) resolve();
      else reject(new Error(`npm ci failed (${signal ?? `exit code ${code}`}); the dependencies are not installed`));
    });
  });
}

/** npm notes what it installed, as its last step; times of files would lie after a git checkout. */
function isInstalled() {
  const note = path.join(root, "node_modules", ".package-lock.json");
  if (!existsSync(note) || !existsSync(pinnedNode)) return false;
  const wanted = packagesOf(path.join(root, "package-lock.json"));
  const present = packagesOf(note);
  return Object.entries(wanted).every(([name, { version, optional, devOptional, extraneous, link }]) => {
    if (name === "" || link || extraneous) return true;
    return present[name] === undefined ? Boolean(optional ?? devOptional) : present[name].version === version;
  });
}

function packagesOf(file) {
  return JSON.parse(readFileSync(file, "utf8")).packages;
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  await installDependencies().catch((error) => {
    console.error(error.message);
    process.exit(1);
  });
}
