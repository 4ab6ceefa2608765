/** A private redis-server on a socket of its own: nothing is shared, nothing listens on a port. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redis } from "ioredis";
import { libraryText } from "../../lua/library.ts";
import { librarySource } from "../../lua/loader.ts";

export const LIBRARY = libraryText();

export type Server = {
  /** Connected, without the library's functions unless the server was started with them. */
  readonly redis: Redis;
  connect(user?: { name: string; password: string }): Redis;
  stop(): Promise<void>;
};

export async function startRedis(options: { library?: boolean; binary?: string | undefined } = {}): Promise<Server> {
  const folder = await mkdtemp(join(tmpdir(), "edgeboard-lua-"));
  const socket = join(folder, "redis.sock");
  const args = ["--port", "0", "--unixsocket", socket, "--save", "", "--appendonly", "no", "--dir", folder];
  const child = spawn(options.binary ?? "redis-server", args, { stdio: "ignore" });
  const ended = once(child, "exit");
  const kill = () => void child.kill();
  process.once("exit", kill); // also when a test run ends without stop()
  const clients: Redis[] = [];
  const connect: Server["connect"] = (user) => {
    const login = user ? { username: user.name, password: user.password } : {};
    const client = new Redis({
      path: socket,
      protocol: 2,
      retryStrategy: (times) => Math.min(10 * times, 100),
      ...login,
    });
    client.on("error", () => {}); // commands report their own errors; this one is "not up yet"
    clients.push(client);
    return client;
  };
  const redis = connect();
  await Promise.race([
    redis.ping(),
    ended.then(() => Promise.reject(new Error("redis-server ended at once"))),
    once(child, "error").then(([error]) => Promise.reject(new Error("redis-server does not start", { cause: error }))),
  ]);
  if (options.library !== false) await redis.call("FUNCTION", "LOAD", librarySource(LIBRARY, "redis"));
  return {
    redis,
    connect,
    async stop() {
      for (const client of clients) client.disconnect();
      kill();
      process.removeListener("exit", kill);
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
