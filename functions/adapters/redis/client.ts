/** The only place that talks to Upstash: one HTTP request a call, once, with a deadline (PLATFORM 2.2, 2.3, 2.6). */
import { Redis } from "@upstash/redis/cloudflare";
import type { DependencyError } from "../../domain/errors.ts";
import { loadLibrary, type RedisTarget, type SendCommand } from "../../../lua/loader.ts";
import { redisFailure } from "./failure.ts";

export type RedisOptions = {
  readonly url: string;
  readonly token: string;
  readonly target: RedisTarget;
  readonly deadlineMs: number;
  /** Text of the ranking library, loaded when Redis does not know a function (new or wiped). */
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

/** After this Redis was found to have the library, calls are refused for other reasons for a while. */
const LOADED_FOR_MS = 1_000;
/** When each Redis was last found so: plain values, so sharing them between requests is safe. */
const foundLoaded = new Map<string, number>();

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

  const send: SendCommand = (command) => sdk().exec([...command]);

  /**
   * Loads the library if a refused call means that Redis has lost it; true when the call may succeed now. What Redis
   * lists decides. Its words only tell that another isolate may have loaded the library since the call.
   */
  async function loadedAfter(refusal: DependencyError): Promise<boolean> {
    const told = refusal.code === "NOFUNCTION";
    if (!told && Date.now() - (foundLoaded.get(options.url) ?? 0) < LOADED_FOR_MS) return false;
    const outcome = await loadLibrary(send, options.library, options.target);
    foundLoaded.set(options.url, Date.now());
    return told || outcome === "loaded";
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
      // Without the library it was refused before it ran, so calling again cannot do anything twice.
      const failure = redisFailure(error);
      if (failure.kind !== "refused" || !(await loadedAfter(failure))) throw error;
      return work();
    }
  }

  return {
    call: (name, keys, args) =>
      orDependencyError(() => withLibrary(() => sdk().functions.call(name, [...keys], [...args]))),
    read: (name, keys, args) =>
      orDependencyError(() => withLibrary(() => sdk().functions.callRo(name, [...keys], [...args]))),
    command: (command) => orDependencyError(() => send(command)),
  };
}
