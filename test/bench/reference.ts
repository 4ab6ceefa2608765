/**
 * What people use today, written small: eight connections straight to Redis over TCP, three round trips a submission
 * (FCALL of a plain best-score function, two EXPIRE NX), nothing durable.
 */
import { Redis } from "ioredis";
import { playEvening } from "../../tools/demo/evening.ts";

const CONNECTIONS = 8;
const TTL_SECONDS = 35 * 86_400;

export const REFERENCE_LIBRARY = `#!lua name=reference
redis.register_function('reference_best', function(keys, args)
  redis.call('ZADD', keys[1], 'GT', args[2], args[1])
  redis.call('SADD', keys[2], args[1])
  return redis.call('ZREVRANK', keys[1], args[1])
end)`;

/** Plays `count` submissions of the demo's evening; submissions a second. */
export async function playReference(redisUrl: string, board: string, count: number, players: number): Promise<number> {
  const connections = Array.from({ length: CONNECTIONS }, () => new Redis(redisUrl));
  const keys = [`reference:{${board}}:scores`, `reference:{${board}}:players`];
  await connections[0]?.call("FUNCTION", "LOAD", "REPLACE", REFERENCE_LIBRARY);
  const plays = playEvening(1, count, players);

  async function client(redis: Redis): Promise<void> {
    for (const play of plays) {
      await redis.call("FCALL", "reference_best", keys.length, ...keys, play.player, play.points);
      for (const key of keys) await redis.call("EXPIRE", key, TTL_SECONDS, "NX");
    }
  }

  const startedAt = performance.now();
  await Promise.all(connections.map(client));
  const elapsedMs = performance.now() - startedAt;
  await connections[0]?.del(...keys);
  for (const connection of connections) connection.disconnect();
  return (count / elapsedMs) * 1000;
}
