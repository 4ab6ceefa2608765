import { Redis as NodeRedis } from "@upstash/redis";
import { Redis as CloudflareRedis } from "@upstash/redis/cloudflare";
import { describe, expect, test } from "vitest";
import { useStores } from "./stores.ts";

const env = useStores();

const LIBRARY = `#!lua name=shop
redis.register_function('shop_add', function(keys, args) return {redis.call('INCRBY', keys[1], args[1]), args[2]} end)
redis.register_function{function_name='shop_read', callback=function(keys) return redis.call('GET', keys[1]) end, flags={'no-writes'}}
redis.register_function('shop_fail', function() return redis.error_reply('LBINPUT no') end)`;

const BUILDS = [
  { name: "the Node build", Redis: NodeRedis },
  { name: "the Cloudflare build", Redis: CloudflareRedis },
] as const;

const CASES = BUILDS.flatMap(({ name, Redis }) =>
  [true, false].map((enableAutoPipelining) => ({
    name: `${name}, auto-pipelining ${enableAutoPipelining ? "on" : "off"}`,
    prefix: `${name}:${enableAutoPipelining}`,
    client: (automaticDeserialization: boolean) =>
      new Redis({
        url: env.stores.upstashUrl,
        token: env.stores.upstashToken,
        enableAutoPipelining,
        automaticDeserialization,
      }),
  })),
);

describe.each(CASES)("$name", ({ client, prefix }) => {
  const key = (name: string): string => `${prefix}:${name}`;

  test("strings come back byte for byte, also those that look like something else", async () => {
    const redis = client(false);
    for (const value of [
      "OK",
      "42",
      "007",
      "1e5",
      "null",
      "true",
      '"q"',
      "[1]",
      "120000000000000000007",
      "José",
      "🏆",
      "",
      "a\nb",
    ]) {
      await redis.set(key("string"), value);
      expect(await redis.get(key("string"))).toBe(value);
    }
    expect(await redis.get(key("missing"))).toBeNull();
  });

  test("default deserialisation works too", async () => {
    const redis = client(true);
    await redis.set(key("object"), { a: [1, "two"] });
    expect(await redis.get(key("object"))).toEqual({ a: [1, "two"] });
    await redis.hset(key("hash"), { one: 1, name: "ada" });
    expect(await redis.hgetall(key("hash"))).toEqual({ one: 1, name: "ada" });
    expect(await redis.mget(key("object"), key("missing"))).toEqual([{ a: [1, "two"] }, null]);
  });

  test("a sorted set keeps scores to 2^53 - 1 exact and gives them with its members", async () => {
    const redis = client(false);
    await redis.zadd(key("board"), { score: 9007199254740991, member: "OK" }, { score: 5, member: "7" });
    expect(await redis.zadd(key("board"), { gt: true, ch: true }, { score: 4, member: "7" })).toBe(0);
    expect(await redis.zrange(key("board"), 0, -1, { rev: true, withScores: true })).toEqual([
      "OK",
      "9007199254740991",
      "7",
      "5",
    ]);
    expect(await redis.zrevrank(key("board"), "7")).toBe(1);
    expect(await redis.zrevrank(key("board"), "nobody")).toBeNull();
    expect(await redis.zcard(key("board"))).toBe(2);
  });

  test("distinct players are counted", async () => {
    const redis = client(false);
    await redis.pfadd(key("players"), "ada", "bob");
    await redis.pfadd(key("players"), "ada");
    expect(await redis.pfcount(key("players"))).toBe(2);
  });

  test("a function library is loaded, called, listed and refused", async () => {
    const redis = client(false);
    await redis.functions.load({ code: LIBRARY, replace: true });
    await redis.del(key("stock"));
    expect(await redis.functions.call("shop_add", [key("stock")], ["5", "007"])).toEqual([5, "007"]);
    expect(await redis.functions.callRo("shop_read", [key("stock")])).toBe("5");
    expect(JSON.stringify(await redis.functions.list({ libraryName: "shop" }))).toContain("shop_add");
    await expect(redis.functions.call("shop_fail", [], [])).rejects.toThrow("LBINPUT no");
    await expect(redis.functions.call("shop_gone", [], [])).rejects.toThrow("Function not found");
  });

  test("a pipeline answers every command in order, errors in their slot", async () => {
    const redis = client(false);
    const answers = await redis
      .pipeline()
      .set(key("text"), "x")
      .lpush(key("text"), "y")
      .get(key("text"))
      .exec({ keepErrors: true });
    expect(answers.map(({ result }) => result)).toEqual(["OK", undefined, "x"]);
    expect(answers[1]?.error).toContain("WRONGTYPE");
  });

  test("a transaction is applied as a whole", async () => {
    const redis = client(false);
    const answers = await redis.multi().set(key("a"), "1").incr(key("a")).mget(key("a"), key("missing")).exec();
    expect(answers).toEqual(["OK", 2, ["2", null]]);
    await expect(
      redis
        .multi()
        .set(key("a"), "9")
        .exec()
        .then(() => redis.exec(["SET", key("a")])),
    ).rejects.toThrow("wrong number of arguments");
  });

  test("many transactions at once do not mix", async () => {
    const redis = client(false);
    const runs = Array.from({ length: 50 }, async (_, index) => {
      const own = key(`own:${index}`);
      const [, , value] = await redis.multi().set(own, String(index)).incr(key("shared")).get(own).exec();
      return value;
    });
    expect(await Promise.all(runs)).toEqual(Array.from({ length: 50 }, (_, index) => String(index)));
  });

  test("a subscriber gets what is published, as it was sent", async () => {
    const redis = client(false);
    const channel = key("lb:{arena}:board:2026-W48:top10");
    const subscription = redis.subscribe<string>([channel]);
    const received = new Promise<string>((resolve) => subscription.on("message", ({ message }) => resolve(message)));
    await new Promise<void>((resolve) => subscription.on("subscribe", () => resolve()));
    expect(await redis.publish(channel, "ada, the 1st is now #1")).toBe(1);
    expect(await received).toContain("ada, the 1st is now #1");
    await subscription.unsubscribe();
  });

  test("a pattern subscriber gets what is published", async () => {
    const redis = client(false);
    const subscription = redis.psubscribe<string>([`${prefix}:news:*`]);
    const received = new Promise<string>((resolve) =>
      subscription.on("pmessage", ({ channel, message }) => resolve(`${channel} ${message}`)),
    );
    await new Promise<void>((resolve) => subscription.on("psubscribe", () => resolve()));
    await redis.publish(key("news:de"), "hello");
    expect(await received).toContain("hello");
    await subscription.unsubscribe();
  });

  test("the sync token of an answer goes out with the next request", async () => {
    const redis = client(false);
    await redis.set(key("synced"), "1");
    expect(redis.readYourWritesSyncToken).toMatch(/^local:\d+$/);
  });

  test("a wrong token is refused", async () => {
    const redis = new CloudflareRedis({ url: env.stores.upstashUrl, token: "wrong" });
    await expect(redis.get("a")).rejects.toThrow("WRONGPASS");
  });
});
