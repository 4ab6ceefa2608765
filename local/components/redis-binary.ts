import { execFileSync, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

const MINIMUM_MAJOR = 7;

const HOW_TO_GET_IT = [
  "Edgeboard needs redis-server 7.0 or newer and found none on the PATH. Get it one of these ways and start again:",
  "  Debian, Ubuntu   sudo apt-get install redis-server",
  "  Fedora           sudo dnf install redis",
  "  macOS            brew install redis",
  "  or point REDIS_URL at a server you have: REDIS_URL=redis://127.0.0.1:6379 npm start",
].join("\n");

/** Finds redis-server on the PATH; installs it with apt-get where that is allowed; else says how to get it. */
export function redisBinary(say: (line: string) => void): string {
  const found = onPath("redis-server") ?? installed(say);
  if (found === undefined) throw new Error(HOW_TO_GET_IT);
  const version = /v=(\d+)\.(\d+)/.exec(execFileSync(found, ["--version"], { encoding: "utf8" }));
  if (Number(version?.[1] ?? 0) < MINIMUM_MAJOR) {
    throw new Error(`${found} is version ${version?.[1] ?? "?"}.${version?.[2] ?? "?"}, too old.\n${HOW_TO_GET_IT}`);
  }
  return found;
}

/** Processes that find it missing at the same moment install it one after the other: apt-get refuses a second of itself. */
const LOCK = path.join(tmpdir(), "edgeboard-apt.lock");
// A server that another process installed meanwhile is enough. RUNLEVEL=1 keeps the package from starting one on port 6379.
const INSTALL =
  "command -v redis-server || { export DEBIAN_FRONTEND=noninteractive RUNLEVEL=1; apt-get update -q; " +
  "apt-get install -q -y --no-install-recommends redis-server; }";

function installed(say: (line: string) => void): string | undefined {
  const prefix = adminPrefix();
  if (prefix === undefined || onPath("apt-get") === undefined) return undefined;
  say("redis-server is missing: installing it with apt-get (once)");
  const [file = "flock", ...args] = [...prefix, "flock", LOCK, "sh", "-c", INSTALL];
  spawnSync(file, args, { stdio: ["ignore", "inherit", "inherit"] });
  return onPath("redis-server");
}

/** How to run something as root: directly, by sudo without a password, or not at all. */
function adminPrefix(): string[] | undefined {
  if (process.getuid?.() === 0) return [];
  if (onPath("sudo") !== undefined && spawnSync("sudo", ["-n", "true"]).status === 0) return ["sudo", "-n"];
  return undefined;
}

function onPath(program: string): string | undefined {
  const folders = [
    ...(process.env["PATH"] ?? "").split(path.delimiter),
    "/usr/bin",
    "/usr/sbin",
    "/sbin",
    "/opt/homebrew/bin",
  ];
  return folders.map((folder) => path.join(folder, program)).find((file) => existsSync(file));
}
