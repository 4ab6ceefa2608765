import { describe, expect, it } from "vitest";
import { useRedis } from "./use-redis.ts";

const server = useRedis();

const idle = (key: string, ...args: string[]) => server.redis.call("FCALL", "lb_idle_v2", 1, key, ...args);

describe("idle", () => {
  it("takes out the games whose mark is still the one that was read", async () => {
    await server.redis.zadd("busy-1", "1795961128206", "a", "2", "b", "3", "c");
    expect(await idle("busy-1", "a", "1795961128206", "c", "3")).toEqual(["ok", "2"]);
    expect(await server.redis.zrange("busy-1", "0", "-1")).toEqual(["b"]);
  });

  it("leaves a game that was marked again meanwhile, and one that is not there", async () => {
    await server.redis.zadd("busy-2", "11", "a");
    expect(await idle("busy-2", "a", "10", "unknown", "10")).toEqual(["ok", "0"]);
    expect(Number(await server.redis.zscore("busy-2", "a"))).toBe(11);
  });

  it("refuses malformed arguments before it takes anything out", async () => {
    await server.redis.zadd("busy-3", "1", "a");
    await expect(idle("busy-3", "a")).rejects.toThrow("wrong arguments for idle");
    await expect(idle("busy-3", "a", "1", "b", "1e3")).rejects.toThrow("unix time");
    expect(await server.redis.zcard("busy-3")).toBe(1);
  });
});
