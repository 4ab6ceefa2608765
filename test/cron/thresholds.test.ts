import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { backfillBadges } from "../../functions/services/badges/award-badges.ts";
import { passMinute } from "./history.ts";
import { activityOf } from "./stream.ts";
import { startWorld, type World } from "./world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

const root = path.resolve(import.meta.dirname, "..", "..");
const configure = (game: string, ...badges: { badge: string; threshold: number }[]) =>
  world.api("PUT", `/v1/games/${game}`, { badges });

/** `npm run badges` against this file's stores. */
async function badgesCommand(...args: string[]): Promise<string> {
  const env = { ...process.env, ...world.storesByTcp };
  const command = [path.join(root, "tools", "badges", "main.ts"), ...args];
  const { stdout } = await promisify(execFile)(process.execPath, command, { env, cwd: root });
  return stdout;
}

describe("a changed threshold", () => {
  it("counts from then on, not for what was submitted before", async () => {
    const game = await world.game();
    await world.submit(game, { player: "before", points: 800 });
    await world.tick();
    await configure(game, { badge: "bronze", threshold: 500 });
    await world.submit(game, { player: "after", points: 600 });
    await world.tick();
    await passMinute(world, game);
    await world.tick();
    expect(await world.badges(game)).toEqual(["after bronze"]);
  });

  it("takes no badge from who deserved it when the cron had not come yet", async () => {
    const game = await world.game();
    await world.submit(game, { player: "ann", points: 1_200 });
    await configure(game, { badge: "bronze", threshold: 2_000 });
    await world.submit(game, { player: "bob", points: 1_200 });
    await world.tick();
    expect(await world.badges(game)).toEqual(["ann bronze"]);
    await passMinute(world, game);
    await world.redis.del(activityOf(game));
    await world.tick();
    expect(await world.badges(game)).toEqual(["ann bronze"]);
  });

  it("is not a change when it is set again, and a badge that was dropped and comes back counts again", async () => {
    const game = await world.game();
    const bronze = { badge: "bronze", threshold: 1_000 };
    await configure(game, bronze);
    await configure(game);
    await world.submit(game, { player: "between", points: 1_000 });
    await configure(game, bronze);
    await world.submit(game, { player: "after", points: 1_000 });
    await world.tick();
    expect(await world.badges(game)).toEqual(["after bronze"]);
  });

  it("shows in GET /badges with the threshold and the points that earned it", async () => {
    const game = await world.game();
    await world.submit(game, { player: "ann", points: 6_000 });
    await world.tick();
    expect(await world.api("GET", `/v1/games/${game}/players/ann/badges`)).toMatchObject({
      badges: [
        { badge: "bronze", threshold: 1_000, points: 6_000 },
        { badge: "silver", threshold: 5_000, points: 6_000 },
      ],
    });
  });
});

describe("a backfill", () => {
  it("awards what history deserves by today's thresholds, page by page, once and quietly", async () => {
    const game = await world.game({ badges: [] });
    await world.submit(game, ...Array.from({ length: 30 }, (_, i) => ({ player: `p${i % 10}`, points: i * 100 })));
    await configure(game, { badge: "bronze", threshold: 2_500 });
    const pages: number[] = [];
    const backfill = () => world.run((deps) => backfillBadges(deps, game, ({ judged }) => void pages.push(judged), 7));
    expect(await backfill()).toEqual({ judged: 30, awarded: 5 });
    expect(pages).toEqual([7, 14, 21, 28, 30]);
    expect(await backfill()).toEqual({ judged: 30, awarded: 0 });
    expect(await world.badges(game)).toEqual([5, 6, 7, 8, 9].map((n) => `p${n} bronze`));
    expect(world.announced(game)).toEqual([]);
  });

  it("runs from the command line, and says what is there", async () => {
    const game = await world.game({ badges: [] });
    await world.submit(game, { player: "ann", points: 1_000 });
    await configure(game, { badge: "bronze", threshold: 900 });
    expect(await badgesCommand("--game", game)).toContain("bronze (900) 0; 0 missing; stream: 1 unread, 0 pending");
    expect(await badgesCommand("--game", game, "--backfill")).toContain("1 submissions judged, 1 badges new");
    expect(await world.badges(game)).toEqual(["ann bronze"]);
  });

  it("refuses a game that does not exist", async () => {
    await expect(badgesCommand("--game", "nobody-plays-this")).rejects.toThrow("there is no game");
  });
});
