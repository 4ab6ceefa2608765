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
      args: ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--daemonize", "no"],
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
