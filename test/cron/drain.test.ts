import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { drainBadges } from "../../functions/services/drain-badges.ts";
import { startWorld, type World } from "./world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

describe("a drain", () => {
  it("awards what a submission deserves, once, and tells the room", async () => {
    const game = await world.game();
    await world.submit(game, { player: "ann", points: 1_200 });
    await world.submit(game, { player: "ann", points: 6_000 }, { player: "bob", points: 999 });
    await world.tick();
    expect(await world.badges(game)).toEqual(["ann bronze", "ann silver"]);
    expect(world.announced(game)).toEqual(["ann bronze", "ann silver"]);
    const again = await world.run((deps) => drainBadges(deps, game, Date.now() + 1_000));
    expect(again).toMatchObject({ quiet: true, pending: 0, unread: 0, awarded: 0 });
  });
});
