/** Answers of Redis that are not ours: from a proxy in between, or of what something else wrote to a game's keys. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FeedResponse } from "../../functions/contract/feed.ts";
import { activityKey, playersKey } from "../../functions/adapters/redis/keys.ts";
import { weekKey } from "../harness/board-keys.ts";
import { expectHealed, expectRightReads, restingGame, week } from "./damage.ts";
import { startWorld, type World } from "./world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

const A_MINUTE_MS = 60_000;

describe("while something in between answers every call to Redis with JSON of its own", () => {
  it("reads are right, and no game is taken for lost", async () => {
    const resting = await restingGame(world, true);
    const created = await world.redis.xinfo("STREAM", activityKey(resting.game));
    await world.upstash.faults([{ action: "foreign" }]);
    await expectRightReads(world, resting, A_MINUTE_MS);
    expect((await world.ask("GET", "/readyz")).status).toBe(503);
    await world.tick();
    await world.upstash.faults([]);
    await world.tick();
    expect(await world.redis.xinfo("STREAM", activityKey(resting.game))).toEqual(created);
    await expectHealed(world, resting.game);
  });

  it("a submission is stored, and ranked as soon as Redis answers", async () => {
    const game = await world.game();
    await world.upstash.faults([{ match: "lb_submit", action: "foreign", times: 1 }]);
    const { status, body } = await world.ask("POST", `/v1/games/${game}/scores`, { player: "ann", points: 3 });
    expect([status, body]).toMatchObject([202, { ranked: false, rank: null }]);
    expect(await world.redis.zcard(weekKey(game, week()))).toBe(1);
  });
});

describe("a feed with entries that are no events", () => {
  const ENTRIES = [
    ["foo", "bar"],
    ["submission", "x", "player", "ann", "points", "many", "best", "1", "rank", "", "week", "x", "at", "now"],
    ["submission", "x", "player", "ann", "points", "1", "best", "1", "rank", "", "week", "x", "at", "9".repeat(20)],
  ];

  it("is shown without them, page by page", async () => {
    const resting = await restingGame(world, true);
    for (const entry of ENTRIES) await world.redis.xadd(activityKey(resting.game), "*", ...entry);
    const page = async (query: string) =>
      FeedResponse.parse(await world.api("GET", `/v1/games/${resting.game}/feed?${query}`));
    const { events, next } = await page(`n=${ENTRIES.length}`);
    expect(events).toEqual([]);
    expect((await page(`n=5&cursor=${next}`)).events).toMatchObject(resting.newest);
    await world.tick();
    await expectHealed(world, resting.game);
  });
});

describe("distinct players that are garbled", () => {
  it("are right for the first who asks, and counted anew", async () => {
    const resting = await restingGame(world, true);
    const { game } = resting;
    const size = await world.redis.zcard(weekKey(game, week()));
    await world.redis.setrange(playersKey(game, week()), 16, "\u00ff".repeat(8));
    await world.api("POST", `/v1/games/${game}/scores`, { player: "new", points: 1 });
    const count = () => world.ask("GET", `/v1/games/${game}/boards/current/players-count`);
    expect((await count()).body).toMatchObject({ ranked: size + 1 });
    const { headers } = await count();
    expect(headers.get("edgeboard-source")).toBe("redis");
  });
});
