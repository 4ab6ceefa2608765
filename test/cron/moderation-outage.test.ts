import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { FeedResponse } from "../../functions/contract/feed.ts";
import { TopResponse } from "../../functions/contract/boards.ts";
import { roomOf } from "../../functions/contract/live.ts";
import { weekOf } from "../../functions/domain/board/week.ts";
import { reapplyModeration } from "../../functions/services/moderation/correct.ts";
import { banPlayer } from "../../functions/services/moderation/moderation.ts";
import type { Deps } from "../../functions/deps-type.ts";
import { until } from "../harness/until.ts";
import { startWorld, type World } from "./world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

const ACTIVE = "lb:active";
const TICK_MS = 60_000;
const FOUR_MINUTES = "4 minutes";
const CHEATS = 300;
/** More than the cron corrects at a time. */
const SOME = 130;
const HONEST = ["ann", "bob"];
const cheat = (i: number) => `cheat-${String(i).padStart(3, "0")}`;
const cheats = Array.from({ length: CHEATS }, (_, i) => cheat(i));
const someCheats = cheats.slice(0, SOME);

/** No test waits here for what is tried again after a while. */
const impatient = (deps: Deps): Deps => ({ ...deps, sleep: () => Promise.resolve() });
const ban = (game: string, players: readonly string[]) =>
  world.run(async (deps) => {
    const waiting = [...players];
    const moderator = async () => {
      for (let player = waiting.pop(); player !== undefined; player = waiting.pop())
        await banPlayer(impatient(deps), game, player, "test");
    };
    await Promise.all(Array.from({ length: 8 }, moderator));
  });

/** A game in which all of them have played in Germany, cheats in front. */
async function played(players: readonly string[]): Promise<string> {
  const game = await world.game();
  const submissions = [...players, ...HONEST].map((player) => ({
    player,
    points: player.startsWith("cheat") ? 5_000 : 100,
    country: "DE",
    idempotencyKey: randomUUID(),
  }));
  await world.api("POST", `/v1/games/${game}/scores/batch`, { submissions });
  return game;
}

async function outage(work: () => Promise<unknown>): Promise<void> {
  await world.upstash.faults([{ action: "status" }]);
  await work();
  await world.tick().catch(() => {});
  await world.upstash.faults([]);
}

/** Makes all that moderators did to a game so far four minutes older. */
const passFourMinutes = (game: string) =>
  world.postgres.query(`update corrections set at = at - interval '${FOUR_MINUTES}' where game = $1`, [game]);

const left = async (game: string) =>
  (await world.rows(z.object({ player: z.string() }), "select player from corrections where game = $1", [game])).length;

const playersOf = (entries: readonly { readonly player: string }[]) =>
  [...new Set(entries.map(({ player }) => player))].toSorted();

/** Who is seen on each board and in the feed. */
async function shown(game: string) {
  const top = async (path: string) => {
    const page = TopResponse.parse(await world.api("GET", `/v1/games/${game}/boards/${path}`));
    expect(page.boardSize).toBe(page.entries.length);
    return playersOf(page.entries);
  };
  const feed = FeedResponse.parse(await world.api("GET", `/v1/games/${game}/feed?n=100`));
  // A number of entries that no request asked for before, so that no isolate's memory answers.
  const n = 50 + Math.floor(Math.random() * 50);
  return {
    week: await top(`current/top?n=${n}`),
    country: await top(`current/top?country=DE&n=${n}`),
    allTime: await top(`all-time/top?n=${n}`),
    feed: playersOf(feed.events),
  };
}
const ALL_HONEST = { week: HONEST, country: HONEST, allTime: HONEST, feed: HONEST };

describe(`${CHEATS} bans while Redis cannot be reached for four minutes`, () => {
  it("hold on the boards, in the feed, in the room, and after a rebuild", async () => {
    const game = await played(cheats);
    await outage(() => ban(game, cheats));
    await passFourMinutes(game);
    await world.tick();
    expect(await shown(game)).toEqual(ALL_HONEST);
    expect(await left(game)).toBe(0);
    const room = roomOf(game, weekOf(Date.now()));
    await until("the room closes up", () => {
      const top = world.room.tops.get(room);
      return top !== undefined && playersOf(top.entries).join() === HONEST.join();
    });
    await world.redis.del(`lb:{${game}}:activity`);
    await world.tick();
    expect(await shown(game)).toEqual(ALL_HONEST);
  });

  it("are forgotten only as far as the cron has come when Redis goes away again", async () => {
    const game = await played(someCheats);
    await outage(() => ban(game, someCheats));
    await passFourMinutes(game);
    await world.upstash.faults([{ match: "lb_correct", skip: 110, action: "status" }]);
    await world.tick();
    await world.upstash.faults([]);
    expect(await left(game)).toBeLessThan(SOME);
    await world.tick();
    expect(await shown(game)).toEqual(ALL_HONEST);
    expect(await left(game)).toBe(0);
  });

  it("are not forgotten by a tick that has no time for them", async () => {
    const game = await played(someCheats);
    await outage(() => ban(game, someCheats));
    await passFourMinutes(game);
    await world.run((deps) => deps.awaitStores());
    await world.run((deps) => reapplyModeration(deps, game, Date.now() - 1));
    expect(await left(game)).toBe(SOME);
    const { settled } = await world.run((deps) => reapplyModeration(deps, game, Date.now() + TICK_MS));
    expect(settled).toBe(SOME);
    expect(await shown(game)).toEqual(ALL_HONEST);
  });
});

describe("a ban in an outage of a game without players at the time", () => {
  it("is followed by the first tick after it, though the game could not be marked", async () => {
    const game = await played([cheat(0)]);
    await world.tick();
    await world.redis.zrem(ACTIVE, game);
    await outage(() =>
      world.run(
        (deps) => banPlayer(impatient(deps), game, cheat(0), "test"),
        () => Date.now() + TICK_MS,
      ),
    );
    expect(await world.redis.zscore(ACTIVE, game)).toBeNull();
    // The tick of the outage was missed.
    await world.tick(2 * TICK_MS);
    expect(await shown(game)).toEqual(ALL_HONEST);
  });
});

describe("a player who keeps submitting while a moderator's removal is followed", () => {
  it("is corrected again by the next tick, and nothing is forgotten before that", async () => {
    const game = await played([cheat(0)]);
    const [removed = ""] = await world.submit(game, { player: "eve", points: 9_000 });
    await world.api("DELETE", `/v1/games/${game}/submissions/${removed}`);
    await passFourMinutes(game);
    let points = 10;
    const again = await world.run((deps) => {
      const correct: Deps["corrector"]["correct"] = async (...args) => {
        await world.submit(game, { player: "eve", points: points++ });
        return deps.corrector.correct(...args);
      };
      return reapplyModeration({ ...deps, corrector: { correct } }, game, Date.now() + TICK_MS);
    });
    expect(again).toEqual({ settled: 0, left: 1 });
    expect(await world.run((deps) => reapplyModeration(deps, game, Date.now() + TICK_MS))).toEqual({
      settled: 1,
      left: 0,
    });
  });
});
