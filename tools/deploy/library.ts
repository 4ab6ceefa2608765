/** Loads the ranking library before any traffic needs it, and proves that this Redis can rank exactly. */
import { Redis } from "@upstash/redis";
import { z } from "zod";
import {
  LIBRARY_NAME,
  loadedRelease,
  loadLibrary,
  releaseOf,
  type RedisTarget,
  type SendCommand,
} from "../../lua/loader.ts";
import type { Values } from "./variables.ts";

const LOCKING = "allow-key-locking";

export function connectRedis(values: Values): Redis {
  return new Redis({
    url: values["UPSTASH_REDIS_REST_URL"] ?? "",
    token: values["UPSTASH_REDIS_REST_TOKEN"] ?? "",
    automaticDeserialization: false,
    enableAutoPipelining: false,
    enableTelemetry: false,
    retry: { retries: 0 },
    signal: () => AbortSignal.timeout(10_000),
  });
}

const sender =
  (redis: Redis): SendCommand =>
  (command) =>
    redis.exec([...command]);

/** `loaded`, `current`, or `newer`: a release that a later deployment brought is never taken back. */
export const putLibrary = (redis: Redis, text: string, target: RedisTarget) => loadLibrary(sender(redis), text, target);

/** FUNCTION LIST replies with flat lists of names and values. */
const flatObject = z
  .array(z.unknown())
  .transform((flat) => Object.fromEntries(flat.flatMap((key, i) => (i % 2 ? [] : [[String(key), flat[i + 1]]]))));
const Library = flatObject.pipe(
  z.object({
    functions: z.array(flatObject.pipe(z.object({ name: z.string(), flags: z.array(z.string()) }))),
  }),
);

/** Names that the library text registers. */
export function functionNames(text: string): string[] {
  return [...text.matchAll(/^register\('([a-z_]+)', (\d+),/gm)].map(([, name, version]) => `lb_${name}_v${version}`);
}

/** What FUNCTION LIST shows to be wrong; empty when traffic may come. */
export async function libraryComplaints(redis: Redis, text: string, target: RedisTarget): Promise<string[]> {
  const reply = await redis.exec<unknown[]>(["FUNCTION", "LIST", "LIBRARYNAME", LIBRARY_NAME]);
  const [library] = z.array(Library).parse(reply);
  if (!library) return [`FUNCTION LIST does not show ${LIBRARY_NAME}`];
  const known = new Map(library.functions.map(({ name, flags }) => [name, flags]));
  const complaints = functionNames(text)
    .filter((name) => !known.has(name))
    .map((name) => `${name} is not registered`);
  if (target === "upstash") {
    for (const [name, flags] of known) {
      if (!flags.includes(LOCKING)) complaints.push(`${name} lacks the flag ${LOCKING}: it would lock the database`);
    }
  }
  const has = await loadedRelease(sender(redis));
  if (has === undefined || has < releaseOf(text)) complaints.push(`release is ${has}, not ${releaseOf(text)}`);
  return complaints;
}
