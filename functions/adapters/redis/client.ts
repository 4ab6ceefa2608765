/** The only place that talks to Upstash: one HTTP request a call, once, with a deadline (PLATFORM 2.2, 2.3, 2.6). */
import { Redis } from "@upstash/redis/cloudflare";
import { loadLibrary, type RedisTarget } from "../../../lua/loader.ts";
import { redisFailure } from "./failure.ts";

export type RedisOptions = {
  readonly url: string;
  readonly token: string;
  readonly target: RedisTarget;
  readonly deadlineMs: number;
  /** Text of lua/leaderboard.lua, loaded when Redis does not know a function (new or wiped). */
  readonly library: string;
};

export type RedisClient = {
  /** FCALL of a function of the library. Replies are checked by the caller. */
  call(name: string, keys: readonly string[], args: readonly string[]): Promise<unknown>;
  /** FCALL_RO: a function that only reads; on Upstash such calls do not wait for each other. */
  read(name: string, keys: readonly string[], args: readonly string[]): Promise<unknown>;
  /** Any other command; its reply is checked by the caller. */
  command(command: readonly [string, ...string[]]): Promise<unknown>;
};

const isUnknownFunction = (error: unknown) => error instanceof Error && error.message.includes("Function not found");

export function createRedis(options: RedisOptions): RedisClient {
  let client: Redis | undefined;
  // Made when it is needed first: most reads are answered from memory, and making it is a tenth of their work.
  const sdk = () =>
    (client ??= new Redis({
      url: options.url,
      token: options.token,
      retry: { retries: 0 },
      enableAutoPipelining: false,
      automaticDeserialization: false,
      enableTelemetry: false,
      signal: () => AbortSignal.timeout(options.deadlineMs),
    }));

  async function load(): Promise<void> {
    await loadLibrary(
      {
        load: (code) => sdk().functions.load({ code, replace: true }),
        async release() {
          try {
            return Number(await sdk().functions.call("lb_release_v2", [], []));
          } catch (error) {
            if (isUnknownFunction(error)) return undefined;
            throw error;
          }
        },
      },
      options.library,
      options.target,
    );
  }

  async function orDependencyError<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw redisFailure(error);
    }
  }

  async function withLibrary<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      // Refused before it ran, so calling again cannot do anything twice.
      if (!isUnknownFunction(error)) throw error;
      await load();
      return work();
    }
  }

  return {
    call: (name, keys, args) =>
      orDependencyError(() => withLibrary(() => sdk().functions.call(name, [...keys], [...args]))),
    read: (name, keys, args) =>
      orDependencyError(() => withLibrary(() => sdk().functions.callRo(name, [...keys], [...args]))),
    command: (command) => orDependencyError(() => sdk().exec([...command])),
  };
}
