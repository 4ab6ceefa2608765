import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { librarySource, loadedRelease, loadLibrary, releaseOf, type SendCommand } from "../../lua/loader.ts";
import { LIBRARY, startRedis, type Server } from "./redis-server.ts";

let server: Server;
beforeEach(async () => {
  server = await startRedis({ library: false });
});
afterEach(() => server.stop());

const release = (n: number) => LIBRARY.replace(/^local RELEASE = \d+$/m, `local RELEASE = ${n}`);

const send: SendCommand = ([name, ...args]) => server.redis.call(name, args);
const load = (code: string) => send(["FUNCTION", "LOAD", "REPLACE", code]);

/** `library_name, …, engine, …, functions, [[name, …, description, …, flags, …], …]` of the one library. */
async function functionList(): Promise<unknown[]> {
  const [library] = z.array(z.array(z.unknown())).parse(await server.redis.call("FUNCTION", "LIST"));
  return library ?? [];
}

describe("the loader", () => {
  it("loads the library into an empty Redis, and only once", async () => {
    expect(await loadLibrary(send, LIBRARY, "redis")).toBe("loaded");
    expect(await loadLibrary(send, LIBRARY, "redis")).toBe("current");
    expect(await loadedRelease(send)).toBe(releaseOf(LIBRARY));
  });

  it("replaces an older release and never a newer one", async () => {
    await loadLibrary(send, release(7), "redis");
    expect(await loadLibrary(send, release(9), "redis")).toBe("loaded");
    expect(await loadLibrary(send, release(8), "redis")).toBe("newer");
    expect(await loadedRelease(send)).toBe(9);
  });

  it("loads again after Redis lost its functions", async () => {
    await loadLibrary(send, LIBRARY, "redis");
    await server.redis.call("FUNCTION", "FLUSH");
    expect(await loadLibrary(send, LIBRARY, "redis")).toBe("loaded");
  });

  it("passes a failure of Redis on", async () => {
    await server.redis.call(
      "FUNCTION",
      "LOAD",
      "#!lua name=x\nredis.register_function('lb_release_v2', function() return '1' end)",
    );
    await expect(loadLibrary(send, release(2), "redis")).rejects.toThrow("already exists");
  });
});

describe("the text that is loaded", () => {
  it("starts with #!lua though the file began with blank lines", async () => {
    await expect(load(librarySource(`\n\n${LIBRARY}`, "redis"))).resolves.toBe("leaderboard_v2");
  });

  it("has allow-key-locking on every function for Upstash, which Redis 7.0 refuses", async () => {
    // The one test here that is about redis-server itself, also when the others run on a stand-in.
    const real = await startRedis({ library: false, binary: process.env["REAL_REDIS_SERVER"] });
    const loading = real.redis.call("FUNCTION", "LOAD", librarySource(LIBRARY, "upstash"));
    await expect(loading.finally(() => real.stop())).rejects.toThrow("unknown flag given");
  });

  it("has no flag that Redis does not know for Redis", async () => {
    await load(librarySource(LIBRARY, "redis"));
    expect(JSON.stringify(await server.redis.call("FUNCTION", "LIST"))).not.toContain("allow-key-locking");
  });

  it("has the flag on every function for Upstash: seen with a flag that Redis 7 knows in its place", async () => {
    const source = librarySource(LIBRARY, "upstash").replaceAll("allow-key-locking", "allow-oom");
    await load(source);
    const flagsOf = z.array(z.array(z.unknown())).parse((await functionList())[5]);
    expect(flagsOf).toHaveLength(23);
    for (const [, name, , , , flags] of flagsOf)
      expect([name, flags]).toEqual([name, expect.arrayContaining(["allow-oom"])]);
    const readOnly = flagsOf.filter(([, , , , , flags]) => z.array(z.string()).parse(flags).includes("no-writes"));
    expect(readOnly.map(([, name]) => name).toSorted()).toEqual([
      "lb_among_v3",
      "lb_around_v2",
      "lb_place_v3",
      "lb_places_v3",
      "lb_range_v3",
      "lb_release_v2",
      "lb_top_v2",
    ]);
  });

  it("is refused without its marker or its release number", () => {
    expect(() => librarySource("#!lua name=x", "redis")).toThrow("LOCKING");
    expect(() => releaseOf("#!lua name=x")).toThrow("RELEASE");
  });
});
