import { setTimeout as sleep } from "node:timers/promises";
import type { Redis } from "ioredis";
import { UPSTASH_LIMITS } from "../../functions/domain/platform-limits.ts";
import type { RedisCommand } from "./commands.ts";
import type { RedisReply } from "./encoding.ts";
import { GROWING, RecordSizes, withSizeCheck } from "./record-size.ts";
import { send } from "./upstream.ts";

/** The vendor's limits; a test plays them small. */
export interface Limits {
  readonly keyBytes: number;
  readonly keyNameBytes: number;
  readonly pendingPerConsumer: number;
  readonly requestBytes: number;
  /** Without it commands are not throttled. */
  readonly commandsPerSecond?: number;
}

const { keyBytes, keyNameBytes, pendingPerConsumer, requestBytes } = UPSTASH_LIMITS;
export const DEFAULT_LIMITS: Limits = { keyBytes, keyNameBytes, pendingPerConsumer, requestBytes };

const LOOKED_AT: ReadonlySet<string> = new Set([...GROWING, "FUNCTION", "XREADGROUP"]);

/** What a command becomes on its way to Redis: itself, itself with a check inside, or the vendor's refusal. */
export type Admitted = { readonly command: RedisCommand } | { readonly error: string };

/** Holds the commands of one endpoint against the vendor's limits; the usual command costs no question to Redis. */
export class Gate {
  readonly #redis: Redis;
  readonly #limits: Limits;
  readonly #sizes: RecordSizes;
  #freeAtMs = 0;

  constructor(redis: Redis, limits: Limits) {
    this.#redis = redis;
    this.#limits = limits;
    this.#sizes = new RecordSizes(redis, limits.keyBytes);
  }

  /** Whether nothing about this command needs a question to Redis or a wait. */
  isPlain(command: RedisCommand): boolean {
    return (
      this.#limits.commandsPerSecond === undefined &&
      !this.#mayHaveLongName(command) &&
      !LOOKED_AT.has(command[0].toUpperCase())
    );
  }

  #mayHaveLongName(command: RedisCommand): boolean {
    return command.some((argument) => argument.length * 3 > this.#limits.keyNameBytes);
  }

  /** Admits or refuses commands of one request, in their order. */
  async admit(commands: readonly RedisCommand[]): Promise<readonly Admitted[]> {
    await this.#waitForTurn(commands.length);
    const admitted: Admitted[] = [];
    for (const command of commands) {
      const verb = command[0].toUpperCase();
      const error =
        (await this.#longName(command)) ??
        (verb === "XREADGROUP" ? await this.#fullConsumer(command) : undefined) ??
        (GROWING.has(verb) ? await this.#sizes.refusal(command) : undefined);
      admitted.push(error === undefined ? { command: withSizeCheck(command, verb, this.#limits.keyBytes) } : { error });
    }
    return admitted;
  }

  /** More commands a second than allowed wait for their turn. */
  async #waitForTurn(commands: number): Promise<void> {
    const { commandsPerSecond } = this.#limits;
    if (commandsPerSecond === undefined) return;
    const now = performance.now();
    const startsAtMs = Math.max(now, this.#freeAtMs);
    this.#freeAtMs = startsAtMs + (commands * 1_000) / commandsPerSecond;
    if (startsAtMs > now) await sleep(startsAtMs - now);
  }

  async #longName(command: RedisCommand): Promise<string | undefined> {
    const limit = this.#limits.keyNameBytes;
    // Only Redis knows which arguments are keys; it is asked when one of them would be too long.
    if (!this.#mayHaveLongName(command)) return undefined;
    const keys = await send(this.#redis, ["COMMAND", "GETKEYS", ...command]);
    const names = "reply" in keys && Array.isArray(keys.reply) ? keys.reply : [];
    const longest = names.reduce((most: number, name) => Math.max(most, lengthOf(name)), 0);
    return longest > limit ? `ERR max key size exceeded. Limit: ${limit} bytes, Actual: ${longest} bytes` : undefined;
  }

  async #fullConsumer(command: RedisCommand): Promise<string | undefined> {
    const upper = command.map((argument) => argument.toUpperCase());
    const after = (word: string) => command[upper.indexOf(word) + 1] ?? "";
    if (command.at(-1) !== ">" || upper.includes("NOACK")) return undefined;
    const [group, consumer, key] = [after("GROUP"), command[upper.indexOf("GROUP") + 2] ?? "", after("STREAMS")];
    const count = upper.includes("COUNT") ? Number(after("COUNT")) : 1;
    const held = await this.#pendingOf(key, group, consumer);
    const limit = this.#limits.pendingPerConsumer;
    if (held + count <= limit) return undefined;
    return (
      "ERR XReadGroup is cancelled. Pending Entries List limit per consumer is about to be reached. " +
      `Limit: ${limit}, Current PEL size: ${held}, Requested Read: ${count}, Key: ${key}, Group: ${group}, Consumer: ${consumer}.`
    );
  }

  async #pendingOf(key: string, group: string, consumer: string): Promise<number> {
    const found = await send(this.#redis, ["XINFO", "CONSUMERS", key, group]);
    // No such stream or group: the command itself will say so.
    if (!("reply" in found) || !Array.isArray(found.reply)) return 0;
    const own = found.reply.find((one) => Array.isArray(one) && String(one[1]) === consumer);
    return Array.isArray(own) ? Number(own[3]) : 0;
  }
}

function lengthOf(name: RedisReply): number {
  return typeof name === "object" && name !== null && "byteLength" in name ? name.byteLength : 0;
}
