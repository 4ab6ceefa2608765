import { Redis } from "ioredis";
import type { RedisCommand } from "./commands.ts";
import type { RedisReply } from "./encoding.ts";

const RECONNECT_MS = 50;

/** Redis cannot be reached or went away before it answered. */
export class UpstreamDown extends Error {}

/** The outcome of one command: a reply, or the error that Redis gave. */
export type Outcome = { readonly reply: RedisReply } | { readonly error: string };

/**
 * A connection to redis-server that never repeats a command and never queues while Redis is down: whether to try
 * again is the caller's decision.
 */
export function connect(redisUrl: string): Redis {
  const redis = new Redis(redisUrl, {
    protocol: 2,
    autoResendUnfulfilledCommands: false,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    disableClientInfo: true,
    retryStrategy: () => RECONNECT_MS,
  });
  // Without a listener every failed attempt to reconnect would be printed.
  redis.on("error", () => undefined);
  return redis;
}

/** Resolves when the first attempt to connect has succeeded or failed: before that, every command fails. */
export async function firstAttempt(redis: Redis): Promise<void> {
  await new Promise<void>((resolve) => {
    redis.once("ready", resolve);
    redis.once("close", resolve);
  });
}

/** Sends one command. Throws UpstreamDown when there is no answer. */
export async function send(redis: Redis, [name, ...args]: RedisCommand): Promise<Outcome> {
  try {
    // In upper case ioredis does not recognise the name, and leaves arguments and reply as they are on the wire.
    return { reply: asReply(await redis.callBuffer(name.toUpperCase(), args)) };
  } catch (error) {
    if (isRedisError(error)) return { error: error.message };
    throw new UpstreamDown(error instanceof Error ? error.message : String(error));
  }
}

/**
 * Sends a transaction. All its commands are written in one go on the one connection, so nothing of another request
 * comes between MULTI and EXEC; if the connection breaks on the way, Redis throws the transaction away.
 */
export async function sendTransaction(redis: Redis, commands: readonly RedisCommand[]): Promise<Outcome> {
  const all: RedisCommand[] = [["MULTI"], ...commands, ["EXEC"]];
  const outcomes = await Promise.all(all.map((command) => send(redis, command)));
  return outcomes.at(-1) ?? { error: "ERR EXEC without MULTI" };
}

function isRedisError(error: unknown): error is Error {
  return error instanceof Error && error.name === "ReplyError";
}

/** ioredis types a reply as unknown; in RESP2 it is one of these by the protocol. */
function asReply(value: unknown): RedisReply {
  return value as RedisReply;
}
