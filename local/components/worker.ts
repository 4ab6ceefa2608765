import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { NODE, ROOT } from "../paths.ts";
import type { ComponentSpec } from "../process/component.ts";
import {
  aliveAmong,
  commandLine,
  connectionCount,
  identify,
  isRunning,
  workerdsOf,
  type ProcessIdentity,
} from "../process/table.ts";

const DRAIN_MS = 5_000;
const DRAIN_POLL_MS = 20;

interface WorkerOptions {
  readonly port: number;
  readonly dataDir: string;
  readonly logFile: string;
  /** The Worker's variables and secrets. */
  readonly variables: Readonly<Record<string, string>>;
  /** Another Worker than the clone's. */
  readonly config?: string;
}

/** `wrangler dev` with the Worker. */
export function workerComponent({ port, dataDir, logFile, variables, config }: WorkerOptions): ComponentSpec {
  const home = path.join(dataDir, "worker");
  mkdirSync(home, { recursive: true });
  const envFile = path.join(home, "variables.env");
  return {
    name: "worker",
    port,
    logFile,
    command: () => {
      // Given explicitly, this file replaces a .dev.vars or .env of the clone.
      writeFileSync(envFile, toEnvFile(variables), { mode: 0o600 });
      return {
        file: NODE,
        args: [
          "--disable-warning=ExperimentalWarning",
          path.join(import.meta.dirname, "worker-dev.ts"),
          "--config",
          config ?? path.join(ROOT, "wrangler.toml"),
          "--env-file",
          envFile,
          "--port",
          String(port),
          "--persist-to",
          path.join(home, "state"),
          "--registry",
          path.join(home, "registry"),
        ],
        cwd: ROOT,
        env: {
          CI: "1",
          WRANGLER_SEND_METRICS: "false",
          NO_COLOR: "1",
          // Kept for a page that nobody opens, the traces of every request cost as much as answering it.
          X_LOCAL_OBSERVABILITY: "false",
          X_LOCAL_EXPLORER: "false",
          // Everything is in our log file already.
          WRANGLER_WRITE_LOGS: "false",
        },
      };
    },
    probe: async () => {
      const response = await fetch(`http://127.0.0.1:${port}/healthz`, { signal: AbortSignal.timeout(5_000) });
      await response.arrayBuffer();
      if (response.status !== 200) throw new Error(`/healthz answers ${response.status}`);
    },
    watch: (group) => {
      // wrangler starts a dead workerd again, but behind a new front one its requests hang for ever.
      const front = identifyFront(group, port);
      const hasRunner = aliveAmong(() => workerdsOf(group).filter((pid) => pid !== front?.pid));
      return () => front !== undefined && isRunning(front) && hasRunner();
    },
    readyTimeoutMs: 90_000,
    stopSignal: "SIGTERM",
    graceMs: 8_000,
  };
}

/**
 * Lets the Worker's requests in flight finish. wrangler has no graceful stop, but the workerd that holds the port has:
 * on SIGTERM it stops listening and closes each connection when its answer is out.
 */
export async function drainWorker(group: number, port: number): Promise<void> {
  const front = frontOf(group, port);
  if (front === undefined) return;
  process.kill(front, "SIGTERM");
  const deadline = Date.now() + DRAIN_MS;
  while (connectionCount(port) > 0 && Date.now() < deadline) await sleep(DRAIN_POLL_MS);
}

function identifyFront(group: number, port: number): ProcessIdentity | undefined {
  const front = frontOf(group, port);
  return front === undefined ? undefined : identify(front);
}

/** The workerd that holds the Worker's port; it passes requests on to a second one that runs the Worker. */
function frontOf(group: number, port: number): number | undefined {
  return workerdsOf(group).find((pid) => commandLine(pid).includes(`entry=127.0.0.1:${port} `));
}

function toEnvFile(variables: Readonly<Record<string, string>>): string {
  return Object.entries(variables)
    .map(([name, value]) => `${name}=${JSON.stringify(value)}\n`)
    .join("");
}
