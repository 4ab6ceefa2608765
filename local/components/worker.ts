import { execFile } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { promisify } from "node:util";
import { installed, NODE, ROOT } from "../paths.ts";
import type { Command, ComponentSpec } from "../process/component.ts";
import { bundleWorker } from "../workerd/bundle.ts";
import { runtimeConfig } from "../workerd/config.ts";
import { staticFiles } from "../workerd/static-files.ts";
import { readWranglerToml } from "../workerd/wrangler-toml.ts";

export const WRANGLER_TOML = path.join(ROOT, "wrangler.toml");

interface WorkerOptions {
  /** Where it listens: loopback unless told otherwise. */
  readonly host?: string;
  readonly port: number;
  readonly dataDir: string;
  readonly logFile: string;
  /** The Worker's variables and secrets. */
  readonly variables: Readonly<Record<string, string>>;
  /** Another Worker than the clone's. */
  readonly config?: string;
}

/** The Worker in workerd, as Cloudflare runs it: one process that holds the port, without a proxy in front. */
export function workerComponent(options: WorkerOptions): ComponentSpec {
  const { host = "127.0.0.1", port, dataDir, logFile, variables, config } = options;
  const home = path.join(dataDir, "worker");
  mkdirSync(home, { recursive: true });
  return {
    name: "worker",
    port,
    logFile,
    command: () => prepare({ home, host, port, variables, config: config ?? WRANGLER_TOML }),
    probe: async () => {
      const response = await fetch(`http://127.0.0.1:${port}/healthz`, { signal: AbortSignal.timeout(5_000) });
      await response.arrayBuffer();
      if (response.status !== 200) throw new Error(`/healthz answers ${response.status}`);
    },
    readyTimeoutMs: 90_000,
    // workerd stops listening and closes each connection when its answer is out.
    stopSignal: "SIGTERM",
    graceMs: 5_000,
  };
}

interface Preparation {
  readonly home: string;
  readonly host: string;
  readonly port: number;
  readonly variables: Readonly<Record<string, string>>;
  readonly config: string;
}

/** Builds page and Worker from the present source and writes workerd's configuration. */
async function prepare({ home, host, port, variables, config }: Preparation): Promise<Command> {
  const source = readWranglerToml(config);
  if (source.assets === path.join(ROOT, "web", "dist")) await buildPage();
  const bundle = path.join(home, "worker.js");
  await bundleWorker(source.main, bundle);
  const files = source.assets === undefined ? [] : staticFiles(source.assets);
  const env = { ...source.vars, ...variables };
  const file = path.join(home, "workerd.capnp");
  writeFileSync(
    file,
    runtimeConfig({
      host,
      port,
      bundle,
      compatibilityDate: source.compatibilityDate,
      compatibilityFlags: source.compatibilityFlags,
      variables: Object.keys(env),
      files,
      local: { rateLimits: [...source.rateLimits], assets: files },
    }),
    { mode: 0o600 },
  );
  chmodSync(file, 0o600);
  return { file: workerdBinary(), args: ["serve", "--import-path=/", file], cwd: home, env: { ...env, PWD: home } };
}

async function buildPage(): Promise<void> {
  await promisify(execFile)(NODE, [path.join(ROOT, "web", "build.mjs")], { cwd: ROOT });
}

/** workerd itself: its npm package wraps the binary in a script of Node, which would stay as a second process. */
export function workerdBinary(): string {
  const fromWorkerd = createRequire(installed("workerd", "package.json"));
  const architecture = process.arch === "arm64" ? "arm64" : "64";
  return fromWorkerd.resolve(`@cloudflare/workerd-${process.platform}-${architecture}/bin/workerd`);
}
