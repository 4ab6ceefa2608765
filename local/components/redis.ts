import { mkdirSync } from "node:fs";
import { connect } from "node:net";
import path from "node:path";
import type { ComponentSpec } from "../process/component.ts";

interface RedisOptions {
  readonly binary: string;
  readonly port: number;
  readonly dataDir: string;
  readonly logFile: string;
}

const NOTHING_ON_DISK = ["--save", "", "--appendonly", "no"];

/**
 * Huge pages, where the kernel and jemalloc have them, for a server that never forks: with millions of players most of a
 * look-up's time goes into finding the page otherwise (docs/memory.md). Redis turns them off for the sake of its snapshots.
 */
export const HUGE_PAGES = { args: ["--disable-thp", "no"], env: { MALLOC_CONF: "thp:always" } } as const;

/** A private redis-server on loopback that keeps nothing on disk: Postgres is the source of truth. */
export function redisComponent({ binary, port, dataDir, logFile }: RedisOptions): ComponentSpec {
  const cwd = path.join(dataDir, "redis");
  mkdirSync(cwd, { recursive: true });
  return {
    name: "redis",
    port,
    logFile,
    command: () => ({
      file: binary,
      args: [
        "--port",
        String(port),
        "--bind",
        "127.0.0.1",
        ...NOTHING_ON_DISK,
        "--daemonize",
        "no",
        ...HUGE_PAGES.args,
      ],
      env: HUGE_PAGES.env,
      cwd,
    }),
    probe: () => ping(port),
    readyTimeoutMs: 10_000,
    stopSignal: "SIGTERM",
    graceMs: 5_000,
  };
}

function ping(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1", timeout: 1_000 }, () => socket.write("PING\r\n"));
    socket.once("data", (reply) => {
      socket.destroy();
      if (reply.toString().startsWith("+PONG")) resolve();
      else reject(new Error("redis-server is not ready"));
    });
    socket.once("timeout", () => socket.destroy(new Error("redis-server does not answer")));
    socket.once("error", reject);
    socket.once("close", () => reject(new Error("redis-server closed the connection")));
  });
}
