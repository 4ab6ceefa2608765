import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DAILY, DAY_MS, DUE, minutely, withBoards, ensurePeriod } from "./boards.ts";
import { costOfTick } from "./quiet-games.ts";
import { startWorld, type World } from "./world.ts";

let world: World;
let boards: ReturnType<typeof withBoards>;
beforeAll(async () => {
  world = await startWorld();
  boards = withBoards(world);
});
afterAll(() => world.stop());

const LATER_MS = 60_000;
const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
const daysFrom = (ms: number) => [0, 1, 2].map((day) => dayOf(ms + day * DAY_MS));

/** How far the clock of all tests is ahead: marks of a later tick would keep games busy for an earlier one. */
let laterMs = 0;
const tick = () => world.tick((laterMs += LATER_MS));

/** Ticks until no game is busy any more. */
async function calm(): Promise<void> {
  for (let ticks = 0; ticks < 10; ticks++) {
    await tick();
    const busy = await world.redis.zrange("lb:active", "0", "-1");
    if (busy.every((member) => member === "#cron")) return;
  }
  throw new Error("a game stays busy");
}

describe("periods shorter than an hour", () => {
  it("get rows ahead only while the game is played", async () => {
    const game = await boards.game({ laps: minutely });
    expect(await boards.rows(game)).toHaveLength(3);
    await tick();
    expect(await boards.rows(game)).toHaveLength(4);
    await calm();
    const atRest = await boards.rows(game);
    for (let ticks = 0; ticks < 4; ticks++) await tick();
    expect(await boards.rows(game)).toEqual(atRest);
    // A player is back: their submission finds no row.
    const at = Date.now() + laterMs;
    await world.run(
      (deps) => ensurePeriod(deps, game, "laps", at),
      () => at,
    );
    await world.redis.zadd("lb:active", String(at), game);
    await tick();
    const rows = await boards.rows(game);
    expect(rows).toHaveLength(atRest.length + 4);
    expect(rows.at(-1)?.starts_at.getTime()).toBeGreaterThan(at + LATER_MS);
  });
});

describe("an idle game with 16 boards", () => {
  it("costs no statement and at most 2 commands a tick, together with everything else", async () => {
    const ids = Array.from({ length: 16 }, (_, i) => `board-${i}`);
    await boards.game(Object.fromEntries(ids.map((id, i) => [id, i % 2 === 0 ? DAILY : minutely])));
    // The tests of a day may pass its end, at which rows are due: a while after it they are not.
    laterMs += DAY_MS - ((Date.now() + laterMs) % DAY_MS) + 2 * LATER_MS;
    await tick();
    await calm();
    await tick();
    for (let ticks = 0; ticks < 10; ticks++) {
      const { redis, postgres } = await costOfTick(world, (laterMs += LATER_MS));
      expect(postgres.operations).toBe(0);
      expect(redis.operations).toBeLessThanOrEqual(2);
    }
  });

  it("gets its rows also when Redis forgot what is due", async () => {
    const game = await boards.game({ laps: DAILY });
    for (const lost of [[DUE], [DUE, "{lb:active}:due"], ["lb:active", DUE, "{lb:active}:due"]]) {
      await world.redis.del(...lost);
      await world.tick((laterMs += 5 * DAY_MS));
      const periods = (await boards.rows(game)).map(({ period }) => period);
      expect(periods.slice(-3)).toEqual(daysFrom(Date.now() + laterMs));
    }
  });
});
