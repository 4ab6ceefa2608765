/** The stack that is measured, and the floor beside it on the same stores. */
import { spawn, type ChildProcess } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { freePort } from "../../local/ports.ts";
import { installed, NODE, ROOT } from "../../local/paths.ts";
import { startStack, type Stack } from "../../local/stack.ts";
import { until } from "../harness/until.ts";

export const SERVER_KEY = "eb_bench_key_with_all_scopes_00000000";

export type BenchStack = {
  readonly stack: Stack;
  readonly floorUrl: string;
  /** Creates a game that nothing else uses. */
  freshGame(): Promise<string>;
  stop(): Promise<void>;
};

async function startFloor(stack: Stack, dataDir: string): Promise<{ url: string; process: ChildProcess }> {
  const port = await freePort();
  const { databaseUrl, neonUrl, upstashUrl, upstashToken } = stack.info;
  const envFile = path.join(dataDir, "floor.env");
  const variables = {
    DATABASE_URL: databaseUrl,
    NEON_SQL_ENDPOINT: neonUrl,
    UPSTASH_REDIS_REST_URL: upstashUrl,
    UPSTASH_REDIS_REST_TOKEN: upstashToken,
  };
  await writeFile(
    envFile,
    Object.entries(variables)
      .map(([name, value]) => `${name}="${value}"\n`)
      .join(""),
    { mode: 0o600 },
  );
  const args = ["dev", "--config", path.join(ROOT, "test/bench/floor/wrangler.toml"), "--env-file", envFile];
  const more = [
    "--ip",
    "127.0.0.1",
    "--port",
    String(port),
    "--inspector-port",
    "0",
    "--show-interactive-dev-session=false",
  ];
  const child = spawn(NODE, [installed("wrangler", "bin", "wrangler.js"), ...args, ...more], {
    cwd: ROOT,
    detached: true,
    stdio: "ignore",
    env: {
      ...process.env,
      CI: "1",
      WRANGLER_SEND_METRICS: "false",
      MINIFLARE_REGISTRY_PATH: path.join(dataDir, "floor-registry"),
    },
  });
  const url = `http://127.0.0.1:${port}`;
  await until(
    "the floor answers",
    () =>
      fetch(`${url}/bare`).then(
        (r) => r.ok,
        () => false,
      ),
    60_000,
  );
  return { url, process: child };
}

/** Starts everything; the cron never fires, so that it disturbs no measurement. */
export async function startBenchStack(say: (line: string) => void): Promise<BenchStack> {
  const dataDir = await mkdtemp(path.join(tmpdir(), "edgeboard-bench-"));
  const stack = await startStack({ port: 0, partyPort: 0, dataDir, serverKey: SERVER_KEY, cronSeconds: 0, say });
  const floor = await startFloor(stack, dataDir);
  let games = 0;
  return {
    stack,
    floorUrl: floor.url,
    async freshGame() {
      const game = `bench-${++games}`;
      const response = await fetch(`${stack.info.api}/v1/games/${game}`, {
        method: "PUT",
        headers: { authorization: `Bearer ${SERVER_KEY}`, "content-type": "application/json" },
        body: "{}",
      });
      if (response.status !== 201) throw new Error(`the game was not created: ${response.status}`);
      await response.arrayBuffer();
      return game;
    },
    async stop() {
      if (floor.process.pid !== undefined) process.kill(-floor.process.pid, "SIGTERM");
      await stack.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
