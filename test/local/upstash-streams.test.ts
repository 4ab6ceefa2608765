import { Redis } from "@upstash/redis/cloudflare";
import { beforeEach, expect, test } from "vitest";
import { useStores } from "./stores.ts";

const env = useStores();
const GROUP = "badges";
let stream: string;
let redis: Redis;

beforeEach(() => {
  stream = `stream:${crypto.randomUUID()}`;
  redis = new Redis({
    url: env.stores.upstashUrl,
    token: env.stores.upstashToken,
    automaticDeserialization: false,
    enableAutoPipelining: false,
  });
});

test("an entry is added, trimmed and read back in order as flat fields", async () => {
  const first = await redis.xadd(
    stream,
    "*",
    { player: "007", points: "1e5" },
    { trim: { type: "MAXLEN", threshold: 2, comparison: "=" } },
  );
  await redis.xadd(stream, "*", { player: "7" });
  expect(await redis.xlen(stream)).toBe(2);
  expect(await redis.xrange(stream, "-", "+")).toEqual([
    [first, ["player", "007", "points", "1e5"]],
    [expect.any(String), ["player", "7"]],
  ]);
  await redis.xadd(stream, "*", { player: "8" }, { trim: { type: "MAXLEN", threshold: 2, comparison: "=" } });
  expect(await redis.xlen(stream)).toBe(2);
});

test("a group reads new entries once, and nothing is null", async () => {
  await redis.xgroup(stream, { type: "CREATE", group: GROUP, id: "0", options: { MKSTREAM: true } });
  expect(await redis.xreadgroup(GROUP, "a", stream, ">", { count: 10 })).toBeNull();
  const id = await redis.xadd(stream, "*", { player: "ada" });
  expect(await redis.xreadgroup(GROUP, "a", stream, ">", { count: 10 })).toEqual([[stream, [[id, ["player", "ada"]]]]]);
  expect(await redis.xreadgroup(GROUP, "a", stream, ">", { count: 10 })).toBeNull();
});

test("a pending entry whose body was deleted is read again without fields", async () => {
  await redis.xgroup(stream, { type: "CREATE", group: GROUP, id: "0", options: { MKSTREAM: true } });
  const id = await redis.xadd(stream, "*", { player: "ada" });
  await redis.xreadgroup(GROUP, "a", stream, ">");
  await redis.xdel(stream, id);
  expect(await redis.xreadgroup(GROUP, "a", stream, "0")).toEqual([[stream, [[id, null]]]]);
});

test("another consumer claims what stayed pending and acknowledges it", async () => {
  await redis.xgroup(stream, { type: "CREATE", group: GROUP, id: "0", options: { MKSTREAM: true } });
  const id = await redis.xadd(stream, "*", { player: "ada" });
  await redis.xreadgroup(GROUP, "a", stream, ">");
  expect(await redis.xautoclaim(stream, GROUP, "b", 0, "0-0", { count: 100 })).toEqual([
    "0-0",
    [[id, ["player", "ada"]]],
    [],
  ]);
  expect(await redis.xack(stream, GROUP, [id])).toBe(1);
  expect(await redis.xpending(stream, GROUP, "-", "+", 10)).toEqual([]);
});

test("a read that would block is refused", async () => {
  await expect(redis.exec(["XREAD", "BLOCK", "0", "STREAMS", stream, "$"])).rejects.toThrow("not available");
});
