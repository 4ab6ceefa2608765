import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { deservedIn, passMinute } from "./history.ts";
import { activityOf, streamOf } from "./stream.ts";
import { startWorld, type World } from "./world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

const scores = Array.from({ length: 300 }, (_, i) => ({ player: `p${i % 120}`, points: (i * 97) % 12_000 }));

/** A game with submissions whose entries are about to get lost. */
async function played(): Promise<string> {
  const game = await world.game();
  await world.submit(game, ...scores);
  await passMinute(world, game);
  return game;
}

async function expectAllAwarded(game: string): Promise<void> {
  const deserved = await deservedIn(world, game);
  expect(deserved.length).toBeGreaterThan(100);
  expect(await world.badges(game)).toEqual(deserved);
  expect(world.announced(game)).toEqual(deserved);
}

describe("no badge is lost", () => {
  it("when the stream is deleted before the drain", async () => {
    const game = await played();
    await world.redis.del(activityOf(game));
    await world.tick();
    await expectAllAwarded(game);
  });

  it("when a consumer dies and its stream is deleted", async () => {
    const game = await played();
    await streamOf(world.redis, game).abandon(100);
    await world.redis.del(activityOf(game));
    await world.tick();
    await expectAllAwarded(game);
  });

  it("when Redis is flushed, library and all, before the drain", async () => {
    const game = await played();
    await world.redis.flushall();
    await world.redis.call("FUNCTION", "FLUSH");
    await world.tick();
    await expectAllAwarded(game);
    await world.tick();
    expect(await world.redis.exists(activityOf(game))).toBe(1);
  });

  it("when redis-server dies and comes back empty", async () => {
    const game = await played();
    await world.lose();
    await world.tick();
    await expectAllAwarded(game);
  });

  it("when the hard cap swallowed all but the newest entries", async () => {
    const game = await played();
    await world.redis.xtrim(activityOf(game), "MAXLEN", 10);
    await world.tick();
    await expectAllAwarded(game);
  });

  it("when a submission never reached Redis", async () => {
    const game = await world.game();
    await world.upstash.faults([{ match: "lb_submit", action: "drop-before", times: 1 }]);
    await world.submit(game, { player: "ann", points: 1_000 });
    await passMinute(world, game);
    await world.tick();
    expect(await world.badges(game)).toEqual(["ann bronze"]);
    expect(world.announced(game)).toEqual(["ann bronze"]);
  });

  it("and what the stream has awarded already is not announced again", async () => {
    const game = await world.game();
    await world.submit(game, ...scores);
    await world.tick();
    await passMinute(world, game);
    await world.tick();
    await world.tick();
    await expectAllAwarded(game);
  });

  it("by a page that ends in the middle of one millisecond's submissions", async () => {
    const game = await played();
    await world.redis.del(activityOf(game));
    for (let page = 0; page < 50; page++) await world.run((deps) => deps.badges.awardNext(game, 7));
    expect(await world.badges(game)).toEqual(await deservedIn(world, game));
  });
});
