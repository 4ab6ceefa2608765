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
  /** Its module, where it was built before. */
  readonly built?: string;
}

/** The Worker in workerd, as Cloudflare runs it: one process that holds the port, without a proxy in front. */
export function workerComponent(options: WorkerOptions): ComponentSpec {
  const { host = "127.0.0.1", port, dataDir, logFile, variables, config = WRANGLER_TOML, built } = options;
  const home = path.join(dataDir, "worker");
  mkdirSync(home, { recursive: true });
  return {
    name: "worker",
    port,
    logFile,
    command: () => prepare({ home, host, port, variables, config, built }),
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
  readonly built: string | undefined;
}

/** Builds a Worker, and the page where it serves ours, from the present source. */
export async function buildWorker(bundle: string, config = WRANGLER_TOML): Promise<void> {
  const source = readWranglerToml(config);
  if (source.assets === path.join(ROOT, "web", "dist")) await buildPage();
  await bundleWorker(source.main, bundle);
}

/** Builds page and Worker, unless that was done before, and writes workerd's configuration. */
async function prepare({ home, host, port, variables, config, built }: Preparation): Promise<Command> {
  const bundle = built ?? path.join(home, "worker.js");
  if (built === undefined) await buildWorker(bundle, config);
  const source = readWranglerToml(config);
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
