/** A redis-server of a test file's own: it may be flushed, killed and come back empty. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Redis } from "ioredis";
import { freePort } from "../../local/ports.ts";

export type RedisProcess = {
  readonly url: string;
  readonly redis: Redis;
  /** Ends it by SIGKILL and starts it again, empty, on its port. */
  lose(): Promise<void>;
  stop(): Promise<void>;
};

export async function startRedisProcess(): Promise<RedisProcess> {
  const folder = await mkdtemp(path.join(tmpdir(), "edgeboard-cron-"));
  const port = await freePort();
  const args = ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir", folder];
  const start = (): ChildProcess => spawn("redis-server", args, { stdio: "ignore" });
  let child = start();
  const url = `redis://127.0.0.1:${port}`;
  const redis = new Redis(url, { protocol: 2, retryStrategy: () => 20, maxRetriesPerRequest: null });
  redis.on("error", () => {}); // commands wait for the connection; this one is "not up yet"
  await redis.ping();

  async function end(): Promise<void> {
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  }

  return {
    url,
    redis,
    async lose() {
      await end();
      child = start();
      await redis.ping();
    },
    async stop() {
      redis.disconnect();
      await end();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
