/** The Redis of the adapters over a plain connection. */
import type { Redis } from "ioredis";
import type { RedisClient } from "../../functions/adapters/redis/client.ts";
import { replyCode } from "../../functions/adapters/redis/failure.ts";
import { DependencyError } from "../../functions/domain/errors.ts";
import type { LibraryPort } from "../../lua/loader.ts";

const isUnknownFunction = (error: unknown) =>
  error instanceof DependencyError ? error.code === "NOFUNCTION" : replyCode(textOf(error)) === "NOFUNCTION";

const textOf = (error: unknown) => (error instanceof Error ? error.message : "");

export function tcpRedis(redis: Redis, load: (port: LibraryPort) => Promise<unknown>): RedisClient {
  const port: LibraryPort = {
    load: (code) => redis.call("FUNCTION", "LOAD", "REPLACE", code),
    async release() {
      try {
        return Number(await redis.call("FCALL", "lb_release_v2", 0));
      } catch (error) {
        if (isUnknownFunction(error)) return undefined;
        throw error;
      }
    },
  };

  async function command([name, ...args]: readonly [string, ...string[]]): Promise<unknown> {
    try {
      return await redis.call(name, args);
    } catch (error) {
      const code = replyCode(textOf(error));
      throw code === undefined
        ? new DependencyError("redis", "unreachable", "connection", error)
        : new DependencyError("redis", "refused", code, error);
    }
  }

  async function fcall(verb: "FCALL" | "FCALL_RO", name: string, keys: readonly string[], args: readonly string[]) {
    const all = [verb, name, String(keys.length), ...keys, ...args] as const;
    try {
      return await command(all);
    } catch (error) {
      if (!isUnknownFunction(error)) throw error;
      await load(port);
      return command(all);
    }
  }

  return {
    call: (name, keys, args) => fcall("FCALL", name, keys, args),
    read: (name, keys, args) => fcall("FCALL_RO", name, keys, args),
    command,
  };
}
