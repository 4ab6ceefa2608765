import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DRAIN, drainBadges } from "../../functions/services/badges/drain-badges.ts";
import { streamOf } from "./stream.ts";
import { startWorld, type World } from "./world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

const BUDGET_MS = 25_000;
const drain = (game: string, options: Partial<typeof DRAIN> = {}) =>
  world.run((deps) => drainBadges(deps, game, Date.now() + BUDGET_MS, { ...DRAIN, ...options }));

const many = (n: number, points = 1_000) => Array.from({ length: n }, (_, i) => ({ player: `p${i}`, points }));
const bronzes = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, i) => `p${from + i} bronze`).toSorted();

describe("a drain", () => {
  it("awards what a submission deserves, once, and tells the room", async () => {
    const game = await world.game();
    await world.submit(game, { player: "ann", points: 1_200 });
    await world.submit(game, { player: "ann", points: 6_000 }, { player: "bob", points: 999 });
    expect(await drain(game)).toMatchObject({ read: 3, awarded: 2, pending: 0, unread: 0 });
    expect(await drain(game)).toMatchObject({ quiet: true, read: 0, awarded: 0 });
    expect(await world.badges(game)).toEqual(["ann bronze", "ann silver"]);
    expect(world.announced(game)).toEqual(["ann bronze", "ann silver"]);
  });

  it("takes over what a consumer read that died without acknowledging", async () => {
    const game = await world.game();
    await world.submit(game, { player: "ann", points: 1_200 }, { player: "ann", points: 6_000 });
    await streamOf(world.redis, game).abandon(10);
    expect(await drain(game)).toMatchObject({ claimed: 2, awarded: 2, pending: 0 });
    expect(await drain(game)).toMatchObject({ claimed: 0, awarded: 0, pending: 0 });
    expect(await world.badges(game)).toEqual(["ann bronze", "ann silver"]);
    expect(world.announced(game)).toEqual(["ann bronze", "ann silver"]);
  });

  it("leaves alone what another run has read just now", async () => {
    const game = await world.game();
    await world.submit(game, ...many(3));
    await streamOf(world.redis, game).abandon(2, 0);
    expect(await drain(game)).toMatchObject({ claimed: 0, read: 1, pending: 2, quiet: false });
  });

  it("of 30 pending entries of which the first 20 were deleted handles the other 10, one at a time", async () => {
    const game = await world.game();
    const stream = streamOf(world.redis, game);
    await world.submit(game, ...many(30));
    const ids = await stream.abandon(30);
    await stream.remove(ids.slice(0, 20));
    expect(await drain(game, { batch: 1 })).toMatchObject({ claimed: 10, awarded: 10, pending: 0 });
    expect(await world.badges(game)).toEqual(bronzes(20, 30));
  });

  it("gets over an entry that was deleted between two others", async () => {
    const game = await world.game();
    const stream = streamOf(world.redis, game);
    await world.submit(game, ...many(6));
    const [, second = "", , , fifth = ""] = [...(await stream.abandon(3)), ...(await stream.ids()).slice(3)];
    await stream.remove([second, fifth]);
    expect(await drain(game)).toMatchObject({ claimed: 2, read: 2, pending: 0, unread: 0 });
    expect(await world.badges(game)).toEqual(["p0 bronze", "p2 bronze", "p3 bronze", "p5 bronze"]);
    expect(await drain(game)).toMatchObject({ quiet: true });
  });

  it("acknowledges an entry that no Worker of ours wrote", async () => {
    const game = await world.game();
    await world.redis.xadd(streamOf(world.redis, game).key, "*", "hello", "world");
    await world.redis.xadd(streamOf(world.redis, game).key, "*", "submission", "x'); drop table badges; --");
    await world.submit(game, { player: "ann", points: 1_000 });
    expect(await drain(game)).toMatchObject({ read: 3, awarded: 1, pending: 0, unread: 0 });
  });

  it("begins at the first entry when only the group is gone", async () => {
    const game = await world.game();
    await world.submit(game, ...many(3));
    await drain(game);
    await world.redis.xgroup("DESTROY", streamOf(world.redis, game).key, "badges");
    await world.submit(game, { player: "ann", points: 10_000 });
    expect(await drain(game)).toMatchObject({ read: 4, awarded: 3, pending: 0 });
    expect(world.announced(game)).toHaveLength(6);
  });

  it("makes no stream where there is none", async () => {
    const game = await world.game();
    await world.redis.del(streamOf(world.redis, game).key);
    expect(await drain(game)).toMatchObject({ missing: true, quiet: false });
    expect(await world.redis.exists(streamOf(world.redis, game).key)).toBe(0);
  });

  it("leaves no consumer behind", async () => {
    const game = await world.game();
    for (let i = 0; i < 3; i++) {
      await world.submit(game, ...many(2));
      await drain(game);
    }
    expect(await streamOf(world.redis, game).consumers()).toBe(0);
  });
});

describe("a consumer of a run that died", () => {
  it("goes once its entries were taken over", async () => {
    const game = await world.game();
    await world.submit(game, ...many(3));
    await streamOf(world.redis, game).abandon(2);
    expect(await drain(game, { minIdleMs: 0 })).toMatchObject({ claimed: 2, read: 1 });
    expect(await streamOf(world.redis, game).consumers()).toBe(0);
  });

  it("goes too when it had acknowledged all it read, and nothing else is to do", async () => {
    const game = await world.game();
    await world.submit(game, ...many(3));
    const stream = streamOf(world.redis, game);
    await world.redis.xack(stream.key, "badges", ...(await stream.abandon(3)));
    expect(await drain(game, { minIdleMs: 0 })).toMatchObject({ quiet: true });
    expect(await stream.consumers()).toBe(0);
  });

  it("stays while it may be alive, or has entries of its own", async () => {
    const game = await world.game();
    await world.submit(game, ...many(3));
    const stream = streamOf(world.redis, game);
    await stream.abandon(2, 0);
    await drain(game);
    expect([await stream.consumers(), await stream.pending()]).toEqual([1, 2]);
  });
});

describe("twenty drains at once", () => {
  it("give one row and one announcement a badge", async () => {
    const game = await world.game();
    await world.submit(game, ...many(200, 5_000));
    await streamOf(world.redis, game).abandon(100);
    await Promise.all(Array.from({ length: 20 }, () => drain(game, { batch: 25 })));
    const deserved = [...bronzes(0, 200), ...bronzes(0, 200).map((b) => b.replace("bronze", "silver"))].toSorted();
    expect(await world.badges(game)).toEqual(deserved);
    expect(world.announced(game)).toEqual(deserved);
    expect(await streamOf(world.redis, game).pending()).toBe(0);
  });
});
