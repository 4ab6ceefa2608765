import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { installed, NODE, ROOT } from "../../local/paths.ts";
import type { RunningStack } from "../../local/running-stack.ts";
import { loadSecrets } from "../../local/secrets.ts";
import { workerVariables } from "../../local/worker-variables.ts";

export interface WranglerDevOptions {
  readonly stack: Omit<RunningStack, "pids">;
  readonly dataDir: string;
  readonly serverKey: string;
  readonly port: number;
  readonly output: "inherit" | "ignore";
}

/** Starts `wrangler dev` with this clone's Worker on the stores and rooms of a running stack, in a process group of its own. */
export function startWranglerDev({ stack, dataDir, serverKey, port, output }: WranglerDevOptions): ChildProcess {
  const home = path.join(dataDir, "wrangler");
  mkdirSync(home, { recursive: true });
  const variables = workerVariables({ ...stack, secrets: loadSecrets(dataDir) }, stack, serverKey);
  // Given explicitly, this file replaces a .dev.vars or .env of the clone.
  const envFile = path.join(home, "variables.env");
  const lines = Object.entries(variables).map(([name, value]) => `${name}=${JSON.stringify(value)}\n`);
  writeFileSync(envFile, lines.join(""), { mode: 0o600 });
  return spawn(
    NODE,
    [
      installed("wrangler", "bin", "wrangler.js"),
      "dev",
      "--config",
      path.join(ROOT, "wrangler.toml"),
      "--env-file",
      envFile,
      "--ip",
      "127.0.0.1",
      "--port",
      String(port),
      "--persist-to",
      path.join(home, "state"),
    ],
    {
      cwd: ROOT,
      env: { ...process.env, WRANGLER_SEND_METRICS: "false", WRANGLER_REGISTRY_PATH: path.join(home, "registry") },
      stdio: ["ignore", output, output],
      detached: true,
    },
  );
}
