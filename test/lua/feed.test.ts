import { describe, expect, it } from "vitest";
import { z } from "zod";
import { engineOf, nowUs, type Engine } from "./engine.ts";
import { WEEK } from "./keys.ts";
import { useRedis } from "./use-redis.ts";

const server = useRedis();

const submissionsIn = async (engine: Engine) => (await engine.events()).map((event) => event["submission"]);
const event = (submission: string, player = "ann") => ({ submission, player, points: "5", rank: "" });
const item = (submission: string, player = "ann") => ({ submission, player, points: 5 });
const MINUTE_US = 60_000_000;

describe("the feed", () => {
  it("gets nothing from a replay", async () => {
    const engine = await server.openGame();
    await engine.submit([item("s-1")], WEEK);
    const reply = await engine.submit([item("")], WEEK);
    expect(reply).toMatchObject({ status: "ranked", places: [{ rank: "1" }] });
    expect(await submissionsIn(engine)).toEqual(["s-1"]);
  });

  it("gets only what it lacks, once", async () => {
    const engine = await server.openGame();
    await engine.submit([item("s-1"), item("s-3", "bob")], WEEK);
    const missing = [event("s-1"), event("s-2"), event("s-3"), event("s-4"), event("s-4")];
    expect(await engine.feed(missing, WEEK)).toEqual(["ok", "2"]);
    expect(await engine.feed(missing, WEEK)).toEqual(["ok", "0"]);
    expect(await submissionsIn(engine)).toEqual(["s-1", "s-3", "s-2", "s-4"]);
  });

  it("has one event when the first call arrives after its event was added for it", async () => {
    const engine = await server.openGame();
    await engine.feed([event("s-1")], WEEK);
    const reply = await engine.submit([item("s-1")], WEEK, nowUs() - MINUTE_US);
    expect(reply).toMatchObject({ status: "ranked", places: [{ rank: "1" }] });
    expect(await submissionsIn(engine)).toEqual(["s-1"]);
  });

  it("has one event of each when a late batch arrives, and keeps those that no call had added", async () => {
    const engine = await server.openGame();
    await engine.feed([event("s-0"), event("s-2")], WEEK);
    const batch = ["s-0", "s-1", "s-2", "s-3"].map((id, i) => item(id, `p${i}`));
    await engine.submit(batch, WEEK, nowUs() - MINUTE_US);
    expect(await submissionsIn(engine)).toEqual(["s-0", "s-2", "s-1", "s-3"]);
  });

  it("has one event when a first call was on its way while a rebuild brought its event", async () => {
    const engine = engineOf(server.redis);
    const committed = nowUs();
    await engine.open([event("s-1")], WEEK);
    await engine.submit([item("s-1")], WEEK, committed);
    await engine.submit([item("s-2")], WEEK);
    expect(await submissionsIn(engine)).toEqual(["s-1", "s-2"]);
  });

  it("is not looked at by calls that are a little late in a busy time", async () => {
    const engine = await server.openGame();
    await server.redis.config("RESETSTAT");
    await engine.submit([item("s-1")], WEEK, nowUs() - 300_000);
    expect(await server.redis.info("commandstats")).not.toContain("cmdstat_xrevrange");
  });

  it("is looked at once by a late batch of a thousand", async () => {
    const engine = await server.openGame();
    await engine.submit(
      Array.from({ length: 1000 }, (_, i) => item(`a-${i}`, `p${i}`)),
      WEEK,
    );
    await server.redis.config("RESETSTAT");
    const batch = Array.from({ length: 1000 }, (_, i) => item(`b-${i}`, `p${i}`));
    await engine.submit(batch, WEEK, nowUs() - MINUTE_US);
    expect(await server.redis.info("commandstats")).toMatch(/^cmdstat_xrevrange:calls=1,/m);
    expect(await submissionsIn(engine)).toHaveLength(2000);
  });
});

describe("the end of a rebuild", () => {
  it("declares a game complete, once, with the events it is given", async () => {
    const engine = engineOf(server.redis);
    expect(await engine.open([event("s-1"), event("s-2")], WEEK)).toEqual(["opened"]);
    expect(await engine.open([event("s-3")], WEEK)).toEqual(["lost"]);
    expect(await submissionsIn(engine)).toEqual(["s-1", "s-2"]);
    expect((await engine.top(engine.keys.board(WEEK))).status).toBe("ok");
  });

  it("lets the badge group read every event, those it brought included", async () => {
    const engine = engineOf(server.redis);
    await engine.open([event("s-1")], WEEK);
    await engine.submit([item("s-2")], WEEK);
    expect(await readGroup(engine)).toHaveLength(2);
  });
});

/** Lets the badge group read everything new; the ids of what it got. */
async function readGroup(engine: Engine): Promise<string[]> {
  const reply = await server.redis.call("XREADGROUP", "GROUP", "badges", "cron", "STREAMS", engine.keys.activity, ">");
  const parsed = z.array(z.tuple([z.string(), z.array(z.tuple([z.string(), z.unknown()]))])).parse(reply);
  return parsed.flatMap(([, entries]) => entries.map(([id]) => id));
}

describe("trim", () => {
  const LONG = 1000;

  async function longFeed() {
    const engine = await server.openGame();
    await engine.submit(
      Array.from({ length: LONG }, (_, i) => item(`s-${i}`, `p${i}`)),
      WEEK,
    );
    return engine;
  }

  it("keeps everything while entries are unread", async () => {
    const engine = await longFeed();
    expect(await engine.trim("0-0", 10)).toEqual(["behind", "0"]);
    expect(await submissionsIn(engine)).toHaveLength(LONG);
  });

  it("keeps everything while entries are pending", async () => {
    const engine = await longFeed();
    const ids = await readGroup(engine);
    await server.redis.xack(engine.keys.activity, "badges", ...ids.slice(1));
    expect(await engine.trim(ids.at(-1) ?? "", 10)).toEqual(["behind", "0"]);
    expect(await submissionsIn(engine)).toHaveLength(LONG);
  });

  it("shortens a feed that was handled, and never by an entry that came since", async () => {
    const engine = await longFeed();
    const ids = await readGroup(engine);
    await server.redis.xack(engine.keys.activity, "badges", ...ids);
    await engine.submit([item("new-1", "x"), item("new-2", "y")], WEEK);
    const [status, removed] = await engine.trim(ids.at(-1) ?? "", 10);
    const left = await submissionsIn(engine);
    expect(status).toBe("trimmed");
    expect(left).toHaveLength(LONG + 2 - Number(removed));
    expect(left.length).toBeLessThanOrEqual(10 + 100); // whole nodes of 100 entries are cut
    expect(left.slice(-2)).toEqual(["new-1", "new-2"]);
    expect(await readGroup(engine)).toHaveLength(2);
  });

  it("leaves the feed there, so that the game stays ready", async () => {
    const engine = await server.openGame();
    await engine.submit([item("s-1")], WEEK);
    const ids = await readGroup(engine);
    await server.redis.xack(engine.keys.activity, "badges", ...ids);
    await engine.trim(ids[0] ?? "", 1);
    await server.redis.xtrim(engine.keys.activity, "MAXLEN", 0);
    expect((await engine.submit([item("s-2")], WEEK)).status).toBe("ranked");
  });
});
