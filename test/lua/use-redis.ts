import { afterAll, beforeAll } from "vitest";
import { engineOf, type Engine } from "./engine.ts";
import { startRedis, type Server } from "./redis-server.ts";

/** A redis-server with the library for the tests of a file, from before the first to after the last. */
export function useRedis() {
  let server: Server | undefined;
  beforeAll(async () => {
    server = await startRedis();
  });
  afterAll(() => server?.stop());
  const started = (): Server => {
    if (!server) throw new Error("the server is there within tests only");
    return server;
  };
  return {
    get redis() {
      return started().redis;
    },
    connect: (user?: { name: string; password: string }) => started().connect(user),
    /** A fresh game that is complete and has no results. */
    async openGame(): Promise<Engine> {
      const engine = engineOf(started().redis);
      await engine.open();
      return engine;
    },
  };
}
