/** The stack that is measured, and the floor beside it on the same stores. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Redis } from "ioredis";
import { workerComponent } from "../../local/components/worker.ts";
import { ROOT } from "../../local/paths.ts";
import { freePort } from "../../local/ports.ts";
import { Component } from "../../local/process/component.ts";
import { startStack, type Stack } from "../../local/stack.ts";

export const SERVER_KEY = "eb_bench_key_with_all_scopes_00000000";

export type BenchStack = {
  readonly stack: Stack;
  readonly floorUrl: string;
  /** Creates a game that nothing else uses. */
  freshGame(config?: Readonly<Record<string, unknown>>): Promise<string>;
  /** As if Redis had lost the game. */
  removeFromRedis(game: string): Promise<void>;
  stop(): Promise<void>;
};

async function startFloor(stack: Stack, dataDir: string, say: (line: string) => void): Promise<Component> {
  const { databaseUrl, neonUrl, upstashUrl, upstashToken } = stack.info;
  const spec = workerComponent({
    port: await freePort(),
    dataDir: path.join(dataDir, "floor"),
    logFile: path.join(dataDir, "floor.log"),
    config: path.join(ROOT, "test/bench/floor/wrangler.toml"),
    variables: {
      DATABASE_URL: databaseUrl,
      NEON_SQL_ENDPOINT: neonUrl,
      UPSTASH_REDIS_REST_URL: upstashUrl,
      UPSTASH_REDIS_REST_TOKEN: upstashToken,
    },
  });
  const floor = new Component({ ...spec, name: "floor" }, { say, started: () => undefined });
  await floor.start();
  return floor;
}

/** Starts everything; the cron never fires, so that it disturbs no measurement. */
export async function startBenchStack(say: (line: string) => void): Promise<BenchStack> {
  const dataDir = await mkdtemp(path.join(tmpdir(), "edgeboard-bench-"));
  const stack = await startStack({ port: 0, partyPort: 0, dataDir, serverKey: SERVER_KEY, cronSeconds: 0, say });
  const floor = await startFloor(stack, dataDir, say);
  const redis = new Redis(stack.info.redisUrl);
  let games = 0;
  return {
    stack,
    floorUrl: `http://127.0.0.1:${floor.port}`,
    async freshGame(config = {}) {
      const game = `bench-${++games}`;
      const response = await fetch(`${stack.info.api}/v1/games/${game}`, {
        method: "PUT",
        headers: { authorization: `Bearer ${SERVER_KEY}`, "content-type": "application/json" },
        body: JSON.stringify(config),
      });
      if (response.status !== 201) throw new Error(`the game was not created: ${response.status}`);
      await response.arrayBuffer();
      return game;
    },
    async removeFromRedis(game) {
      const keys = await redis.keys(`lb:{${game}}:*`);
      if (keys.length > 0) await redis.unlink(...keys);
    },
    async stop() {
      redis.disconnect();
      await floor.stop();
      await stack.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
