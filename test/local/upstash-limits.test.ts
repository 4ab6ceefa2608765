import { Redis } from "@upstash/redis/cloudflare";
import { Redis as TcpRedis } from "ioredis";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { UPSTASH_LIMITS } from "../../functions/domain/platform-limits.ts";
import type { Limits } from "../../local/upstash/limits.ts";
import { upstashService } from "../../local/upstash/service.ts";
import { libraryText } from "../../lua/library.ts";
import { librarySource } from "../../lua/loader.ts";
import { startEndpoint, type Endpoint } from "../cron/endpoints.ts";
import { useStores } from "./stores.ts";

const env = useStores();
const KEY_BYTES = 32 * 1024;
const FULL = "ERR max single record size exceeded";
const ends: (() => Promise<unknown>)[] = [];
let tcp: TcpRedis;

/** Another endpoint in front of the same Redis, with limits of the test's own. */
async function endpoint(limits: Partial<Limits>): Promise<Endpoint> {
  const started = await startEndpoint(await upstashService({ redisUrl: env.stores.redisUrl, token: "t", limits }));
  ends.push(() => started.stop());
  return started;
}
const clientOf = (url: string, token = "t") =>
  new Redis({ url, token, automaticDeserialization: false, enableAutoPipelining: false, retry: { retries: 0 } });

let small: Redis;
beforeAll(async () => {
  tcp = new TcpRedis(env.stores.redisUrl);
  small = clientOf((await endpoint({ keyBytes: KEY_BYTES })).url);
});
afterAll(async () => {
  tcp.disconnect();
  await Promise.all(ends.map((end) => end()));
});

/** Goes on until a command is refused, at most a few times what fits. */
async function untilRefused(grow: (n: number) => Promise<unknown>): Promise<void> {
  for (let n = 0; n < 2_000; n++) await grow(n);
}
const usage = async (key: string) => Number(await tcp.memory("USAGE", key, "SAMPLES", 0));
const member = (n: number) => ({ score: n, member: `player-${String(n).padStart(8, "0")}` });

describe("a key", () => {
  test.each([
    { type: "sorted set", grow: (key: string, n: number) => small.zadd(key, member(n)) },
    { type: "stream", grow: (key: string, n: number) => small.xadd(key, "*", { event: "x".repeat(200), n }) },
    { type: "string", grow: (key: string) => small.append(key, "x".repeat(500)) },
    { type: "hash", grow: (key: string, n: number) => small.hset(key, { [`f${n}`]: "x".repeat(200) }) },
  ])("that is full takes no more, and is read and deleted as before: a $type", async ({ type, grow }) => {
    const key = `full ${type}`;
    await expect(untilRefused((n) => grow(key, n))).rejects.toThrow(FULL);
    expect(await usage(key)).toBeGreaterThan(KEY_BYTES / 2);
    expect(await usage(key)).toBeLessThan(KEY_BYTES * 2.5);
    expect(await small.exists(key)).toBe(1);
    await small.del(key);
    await expect(grow(key, 1)).resolves.toBeDefined();
  });

  test("is refused within a function as outside of it, by call and by pcall", async () => {
    const code = `#!lua name=grow
redis.register_function('grow_call', function(keys, args) return redis.call('ZADD', keys[1], args[1], args[2]) end)
redis.register_function('grow_pcall', function(keys, args)
  local done = redis.pcall('ZADD', keys[1], args[1], args[2])
  return type(done) == 'table' and 'told: ' .. done.err or 'done'
end)`;
    await small.functions.load({ code, replace: true });
    const add = (name: string, n: number) =>
      small.functions.call(name, ["in a function"], [String(n), member(n).member]);
    await expect(untilRefused((n) => add("grow_call", n))).rejects.toThrow(FULL);
    const held = await small.zcard("in a function");
    expect(held).toBeGreaterThan(50);
    expect(await add("grow_pcall", 5_000)).toBe(`told: ${FULL}`);
    expect(await small.zcard("in a function")).toBe(held);
  });

  test("that was found full refuses the smallest addition too, whatever the command is called", async () => {
    const key = "full of one piece";
    await small.append(key, "x".repeat(KEY_BYTES - 4_000));
    await expect(untilRefused(() => small.append(key, "x".repeat(6_000)))).rejects.toThrow(FULL);
    const length = await tcp.strlen(key);
    const additions: [string, ...string[]][] = [
      ["append", key, "x"],
      ["Append", key, "x"],
      ["SETBIT", key, String(9 * KEY_BYTES), "1"],
    ];
    for (const addition of additions) await expect(small.exec(addition), addition[0]).rejects.toThrow(FULL);
    const code = `#!lua name=add
redis.register_function('add', function(keys, args) return redis.call(args[1], keys[1], args[2]) end)`;
    await small.functions.load({ code, replace: true });
    await small.functions.call("add", [key], ["APPEND", "x".repeat(6_000)]).catch(() => undefined);
    for (const name of ["APPEND", "append"])
      await expect(small.functions.call("add", [key], [name, "x"]), name).rejects.toThrow(FULL);
    expect(await tcp.strlen(key)).toBe(length);
  });

  test("costs a look at its size only when it may have filled up since the last one", async () => {
    const redis = clientOf(env.stores.upstashUrl, env.stores.upstashToken);
    await tcp.config("RESETSTAT");
    for (let n = 0; n < 200; n++) await redis.zadd("far from full", member(n));
    expect(/memory\|usage:calls=(\d+)/.exec(await tcp.info("commandstats"))?.[1]).toBe("1");
  });

  test("may have a name of up to 32 KB, in a command, a transaction or a call of a function", async () => {
    const redis = clientOf(env.stores.upstashUrl, env.stores.upstashToken);
    const longest = "k".repeat(UPSTASH_LIMITS.keyNameBytes);
    const tooLong = `ERR max key size exceeded. Limit: 32768 bytes, Actual: 32769 bytes`;
    expect(await redis.set(longest, "v".repeat(100_000))).toBe("OK");
    await expect(redis.set(`${longest}k`, "v")).rejects.toThrow(tooLong);
    await expect(redis.exec(["MGET", "a", `${longest}k`])).rejects.toThrow(tooLong);
    await expect(redis.multi().get(`${longest}k`).exec()).rejects.toThrow(tooLong);
    await expect(redis.functions.call("any", [`${longest}k`], [])).rejects.toThrow(tooLong);
    await expect(redis.set("é".repeat(16_385), "v")).rejects.toThrow("Actual: 32770 bytes");
  });
});

test("a consumer may have a thousand pending entries, and reads on once it has acknowledged some", async () => {
  const redis = clientOf(env.stores.upstashUrl, env.stores.upstashToken);
  await redis.xgroup("pending", { type: "CREATE", group: "g", id: "0", options: { MKSTREAM: true } });
  const pipeline = redis.pipeline();
  for (let n = 0; n < 1_200; n++) pipeline.xadd("pending", "*", { n });
  await pipeline.exec();
  const read = (consumer: string, count: number) => redis.xreadgroup("g", consumer, "pending", ">", { count });
  await read("a", 600);
  await expect(read("a", 401)).rejects.toThrow(
    "ERR XReadGroup is cancelled. Pending Entries List limit per consumer is about to be reached. " +
      "Limit: 1000, Current PEL size: 600, Requested Read: 401, Key: pending, Group: g, Consumer: a.",
  );
  await expect(read("a", 400)).resolves.toHaveLength(1);
  await expect(read("a", 1)).rejects.toThrow("XReadGroup is cancelled");
  await expect(read("b", 1)).resolves.toHaveLength(1);
  const [pending] = await redis.exec<[string][]>(["XPENDING", "pending", "g", "-", "+", "1", "a"]);
  await redis.xack("pending", "g", pending?.[0] ?? "");
  await expect(read("a", 1)).resolves.toHaveLength(1);
});

test("a request may have ten megabytes", async () => {
  const post = (bytes: number) =>
    fetch(env.stores.upstashUrl, {
      method: "POST",
      headers: { authorization: `Bearer ${env.stores.upstashToken}` },
      body: JSON.stringify(["ECHO", "x".repeat(bytes - '["ECHO",""]'.length)]),
    });
  expect((await post(UPSTASH_LIMITS.requestBytes)).status).toBe(200);
  const refused = await post(UPSTASH_LIMITS.requestBytes + 1);
  expect([refused.status, await refused.json()]).toEqual([
    413,
    { error: "ERR max request size exceeded. Limit: 10485760 bytes" },
  ]);
});

test("commands above the rate wait for their turn and are all done", async () => {
  const redis = clientOf((await endpoint({ commandsPerSecond: 200 })).url);
  const startedMs = performance.now();
  const counts = await Promise.all(Array.from({ length: 60 }, () => redis.incr("throttled")));
  expect(new Set(counts).size).toBe(60);
  expect(performance.now() - startedMs).toBeGreaterThan(280);
});

test("the ranking library carries its size check on the header's next line, and its own text unchanged", async () => {
  const text = librarySource(libraryText(), "redis");
  await small.functions.load({ code: text, replace: true });
  const listed = JSON.stringify(await tcp.call("FUNCTION", "LIST", "LIBRARYNAME", "leaderboard_v2", "WITHCODE"));
  expect(listed).toContain("max single record size exceeded");
  expect(listed).toContain(JSON.stringify(text.slice(text.indexOf("\n") + 1)).slice(1, -1));
});
