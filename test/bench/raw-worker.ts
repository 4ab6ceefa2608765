/** The product's bundle in workerd by itself: nothing of ours around it. What `npm start` serves is measured against it. */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { workerComponent, workerdBinary, WRANGLER_TOML } from "../../local/components/worker.ts";
import { freePort } from "../../local/ports.ts";
import { Component } from "../../local/process/component.ts";
import type { Stack } from "../../local/stack.ts";
import { bundleModule } from "../../local/workerd/bundle.ts";
import { runtimeConfig } from "../../local/workerd/config.ts";
import { readWranglerToml } from "../../local/workerd/wrangler-toml.ts";
import { loadSecrets } from "../../local/secrets.ts";
import { workerVariables } from "../../local/worker-variables.ts";

/** Starts it on the stores of a stack; `stop` ends it. */
export async function startRawWorker(
  stack: Stack,
  serverKey: string,
): Promise<{ url: string; pid: number; stop(): Promise<void> }> {
  const [port, home] = [await freePort(), path.join(stack.dataDir, "raw")];
  mkdirSync(home, { recursive: true });
  const source = readWranglerToml(WRANGLER_TOML);
  const bundle = path.join(home, "worker.js");
  await bundleModule(source.main, bundle);
  const variables = workerVariables({ ...stack.info, secrets: loadSecrets(stack.dataDir) }, stack.info, serverKey);
  const config = path.join(home, "workerd.capnp");
  const { compatibilityDate, compatibilityFlags } = source;
  const names = Object.keys(variables);
  const local = { rateLimits: [], assets: [] };
  writeFileSync(
    config,
    runtimeConfig({
      host: "127.0.0.1",
      port,
      bundle,
      compatibilityDate,
      compatibilityFlags,
      variables: names,
      files: [],
      local,
    }),
    { mode: 0o600 },
  );
  const logFile = path.join(home, "worker.log");
  const spec = workerComponent({ port, dataDir: home, logFile, variables });
  const command = () => ({
    file: workerdBinary(),
    args: ["serve", "--import-path=/", config],
    cwd: home,
    env: { ...variables, PWD: home },
  });
  const raw = new Component({ ...spec, name: "raw", command }, { say: () => undefined, started: () => undefined });
  await raw.start();
  return { url: `http://127.0.0.1:${port}`, pid: raw.pid, stop: () => raw.stop() };
}
