import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ensurePeriods } from "../../functions/services/definitions/keep-periods.ts";
import { DAILY, DAY_MS, withBoards, ensurePeriod } from "./boards.ts";
import { startWorld, type World } from "./world.ts";

let world: World;
let boards: ReturnType<typeof withBoards>;
beforeAll(async () => {
  world = await startWorld();
  boards = withBoards(world);
});
afterAll(() => world.stop());

const MONTH_AGO_MS = -30 * DAY_MS;
const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
const daysFrom = (ms: number) => [0, 1, 2].map((day) => dayOf(ms + day * DAY_MS));

describe("rows of periods", () => {
  it("are there when a board is defined: the current one and the next two", async () => {
    const game = await boards.game({ laps: DAILY });
    expect((await boards.rows(game)).map(({ period }) => period)).toEqual(daysFrom(Date.now()));
  });

  it("are kept ahead by the cron, also for a game that no player plays", async () => {
    const game = await boards.game({ laps: DAILY });
    await world.tick(2 * DAY_MS);
    const periods = (await boards.rows(game)).map(({ period }) => period);
    expect(periods.slice(-3)).toEqual(daysFrom(Date.now() + 2 * DAY_MS));
    expect(new Set(periods).size).toBe(5);
    await world.tick(3 * DAY_MS);
    expect(await boards.rows(game)).toHaveLength(6);
  });

  it("do not overlap and leave no gap, whatever wrote them", async () => {
    const game = await boards.game({ laps: DAILY });
    await world.run((deps) => ensurePeriod(deps, game, "laps", Date.now() + 3 * DAY_MS));
    await world.tick(DAY_MS);
    await world.tick(2 * DAY_MS);
    const rows = await boards.rows(game);
    expect(rows.length).toBeGreaterThan(4);
    for (const [i, row] of rows.slice(1).entries()) expect(row.starts_at).toEqual(rows[i]?.ends_at);
  });
});

describe("a submission that finds no row", () => {
  it("gets one, and 200 at once make one row", async () => {
    const game = await boards.game({ laps: DAILY });
    const before = await boards.rows(game);
    const at = Date.now() + MONTH_AGO_MS;
    const made = await world.run((deps) =>
      Promise.all(Array.from({ length: 200 }, () => ensurePeriod(deps, game, "laps", at))),
    );
    expect(new Set(made.map((row) => row?.period))).toEqual(new Set([dayOf(at)]));
    const rows = await boards.rows(game);
    expect(rows).toHaveLength(before.length + 1);
    expect(rows[0]).toMatchObject({ board: "laps", period: dayOf(at) });
  });

  it("costs one statement when the isolate knows the game, two otherwise, for any number of boards", async () => {
    const game = await boards.game({ laps: DAILY, wins: { ...DAILY, aggregation: "sum" } });
    const ensure = async (days: number) => {
      await world.neon.reset();
      const atMs = Date.now() - days * DAY_MS;
      const wanted = ["laps", "wins"].map((board) => ({ board, atMs }));
      const rows = await world.run((deps) => ensurePeriods(deps, game, wanted));
      expect(rows.map((row) => row?.period)).toEqual([dayOf(atMs), dayOf(atMs)]);
      return (await world.neon.stats()).operations;
    };
    expect(await ensure(5)).toBe(2);
    expect(await ensure(6)).toBe(1);
  });

  it("gets none for a board that is not defined, or not any more", async () => {
    const game = await boards.game({ laps: DAILY });
    const ensure = (board: string) => world.run((deps) => ensurePeriod(deps, game, board, Date.now() - 9 * DAY_MS));
    expect(await ensure("lap")).toBeUndefined();
    const before = await boards.rows(game);
    await world.api("DELETE", `/v1/games/${game}/boards/laps`);
    expect(await ensure("laps")).toBeUndefined();
    expect(await boards.rows(game)).toHaveLength(before.length - 2);
  });

  it("gets a row by the present schedule although the isolate remembers another one", async () => {
    const game = await boards.game({ laps: DAILY });
    const at = Date.now() + 10 * DAY_MS;
    const ensure = () => world.run((deps) => ensurePeriod(deps, game, "laps", at));
    expect((await ensure())?.period).toBe(dayOf(at));
    await boards.put(game, "laps", { ...DAILY, schedule: { kind: "never" } });
    expect((await ensure())?.period).toBe("all");
    expect((await boards.rows(game)).map(({ period }) => period)).toEqual([dayOf(Date.now()), "all"]);
  });
});
