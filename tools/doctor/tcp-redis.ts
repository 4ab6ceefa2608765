/** The Redis of the adapters over a plain connection. */
import type { Redis } from "ioredis";
import type { RedisClient } from "../../functions/adapters/redis/client.ts";
import { replyCode } from "../../functions/adapters/redis/failure.ts";
import { DependencyError } from "../../functions/domain/errors.ts";
import { isLoaded, type SendCommand } from "../../lua/loader.ts";

const textOf = (error: unknown) => (error instanceof Error ? error.message : "");

export function tcpRedis(redis: Redis, load: (send: SendCommand) => Promise<unknown>): RedisClient {
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
      if (await isLoaded(command)) throw error;
      await load(command);
      return command(all);
    }
  }

  return {
    call: (name, keys, args) => fcall("FCALL", name, keys, args),
    read: (name, keys, args) => fcall("FCALL_RO", name, keys, args),
    command,
  };
}
