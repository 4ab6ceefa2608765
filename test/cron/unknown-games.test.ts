import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { banPlayer, moderatePlayer } from "../../functions/services/moderation/moderation.ts";
import type { Deps } from "../../functions/deps-type.ts";
import { rebuildGame } from "../../functions/services/healing/rebuild.ts";
import { reconcileGame } from "../../functions/services/healing/reconcile.ts";
import { freshGameId } from "../harness/api.ts";
import { startWorld, type World } from "./world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

const ACTIVE = "lb:active";
const MINUTE_MS = 60_000;
const SOON_MS = 20_000;
const Problem = z.object({ type: z.string() });

const keysOf = (game: string) => world.redis.keys(`lb:{${game}}:*`);
const isListed = async (game: string) => (await world.redis.zscore(ACTIVE, game)) !== null;
const mark = (game: string, at = Date.now()) => world.redis.zadd(ACTIVE, String(at), game);

const READS = [
  "feed",
  "live",
  "boards/current/top",
  "boards/current/top?country=DE",
  "boards/all-time/top",
  "boards/2026-W40/top",
  "boards/current/players/ann",
  "boards/current/around/ann",
  "boards/current/players-count",
  "boards/all-time/players-count",
  "players/ann/badges",
  "",
];

/** Every public read of the game, as the problem it is answered with. */
async function answersOf(game: string): Promise<Record<string, string>> {
  const answers: Record<string, string> = {};
  for (const read of READS) {
    const { status, body } = await world.ask("GET", `/v1/games/${game}${read && "/"}${read}`);
    answers[read] = status === 404 ? (Problem.parse(body).type.split(/[/:]/).at(-1) ?? "") : String(status);
  }
  return answers;
}
const ALL_UNKNOWN = Object.fromEntries(READS.map((read) => [read, "unknown-game"]));

/** What a tick of an earlier release made for any game that was marked. */
async function leftBehind(game: string): Promise<void> {
  await world.redis.xgroup("CREATE", `lb:{${game}}:activity`, "badges", "0", "MKSTREAM");
  await world.redis.set(`lb:{${game}}:board:all-time:version`, "1");
}

describe("a game that Postgres does not know", () => {
  it("does not come to be by a submission to it and the ticks after that", async () => {
    const game = freshGameId();
    expect(await world.ask("POST", `/v1/games/${game}/scores`, { player: "ann", points: 1 })).toMatchObject({
      status: 404,
    });
    expect(await isListed(game)).toBe(true);
    await world.tick();
    expect(await keysOf(game)).toEqual([]);
    expect(await answersOf(game)).toEqual(ALL_UNKNOWN);
    await world.tick(MINUTE_MS);
    expect(await keysOf(game)).toEqual([]);
    expect(await isListed(game)).toBe(false);
  });

  it("does not come to be by reads, moderation, a rebuild or a reconciliation either", async () => {
    const game = freshGameId();
    expect(await answersOf(game)).toEqual(ALL_UNKNOWN);
    const actions: readonly ((deps: Deps) => Promise<unknown>)[] = [
      (deps) => banPlayer(deps, game, "ann", "test"),
      (deps) => moderatePlayer(deps, "unban", game, "ann", "test"),
      (deps) => moderatePlayer(deps, "deletePlayer", game, "ann", "test"),
    ];
    for (const action of actions) {
      const moderated = world.run(action);
      await expect(moderated).rejects.toMatchObject({ code: "unknown-game" });
    }
    expect(await world.run((deps) => rebuildGame(deps, game, Date.now() + SOON_MS))).toBe("unknown");
    await world.run((deps) => reconcileGame(deps, game, Date.now() + SOON_MS));
    expect(await keysOf(game)).toEqual([]);
    const rows = await world.rows(
      z.object({ game: z.string() }),
      `select game from corrections where game = $1 union all select game from players where game = $1
        union all select game from badge_positions where game = $1 union all
        select game from reconciliations where game = $1`,
      [game],
    );
    expect(rows).toEqual([]);
  });

  it("does not stay when Postgres fails while it is made", async () => {
    const game = freshGameId();
    await world.neon.faults([{ match: "insert into", action: "drop-before", times: 1 }]);
    expect((await world.ask("PUT", `/v1/games/${game}`, {})).status).toBe(503);
    await world.tick();
    expect(await keysOf(game)).toEqual([]);
  });

  it("is answered with 404 although keys were left behind for it, which go", async () => {
    for (const read of READS) {
      const game = freshGameId();
      await leftBehind(game);
      const { status, body } = await world.ask("GET", `/v1/games/${game}${read && "/"}${read}`);
      expect([read, status, Problem.parse(body).type]).toEqual([read, 404, expect.stringMatching(/unknown-game$/)]);
      await world.ask("GET", `/v1/games/${game}/feed`);
      expect(await keysOf(game)).toEqual([]);
    }
  });

  it("loses what was left behind for it in the tick that finds it marked", async () => {
    const game = freshGameId();
    await leftBehind(game);
    await mark(game, Date.now() - MINUTE_MS);
    await world.tick();
    expect(await keysOf(game)).toEqual([]);
    expect(await isListed(game)).toBe(false);
  });

  it("may be one that was played and is gone: all its keys go with it", async () => {
    const game = await world.game();
    const countries = ["DE", "FR", undefined];
    const submissions = countries.map((country, i) => ({
      player: `p${i}`,
      points: i,
      country,
      idempotencyKey: `${i}`,
    }));
    await world.api("POST", `/v1/games/${game}/scores/batch`, { submissions });
    await world.api("GET", `/v1/games/${game}/boards/current/players-count`);
    await world.redis.set(`lb:{${game}}:rebuild`, "held", "PX", MINUTE_MS);
    for (const table of ["submissions", "bests", "players", "games"])
      await world.postgres.query(`delete from ${table} where game = $1`, [game]);
    await mark(game, Date.now() - MINUTE_MS);
    await world.tick(MINUTE_MS);
    expect(await keysOf(game)).toEqual([]);
    expect(await isListed(game)).toBe(false);
  });

  it("is told so to a reader a while after it went, though Redis has all of it", async () => {
    for (const read of READS) {
      const game = await world.game();
      await world.submit(game, { player: "ann", points: 7 });
      expect((await world.ask("GET", `/v1/games/${game}${read && "/"}${read}`)).status).toBe(200);
      for (const table of ["submissions", "bests", "players", "games"])
        await world.postgres.query(`delete from ${table} where game = $1`, [game]);
      const { status } = await world.ask("GET", `/v1/games/${game}${read && "/"}${read}`, undefined, {
        laterMs: 11 * MINUTE_MS,
      });
      expect([read, status]).toEqual([read, 404]);
      await world.ask("GET", `/v1/games/${game}/feed`, undefined, { laterMs: 22 * MINUTE_MS });
      expect(await keysOf(game)).toEqual([]);
    }
  });

  it("comes to be with its first submission as soon as somebody makes it", async () => {
    const game = freshGameId();
    await world.ask("POST", `/v1/games/${game}/scores`, { player: "ann", points: 1 });
    await world.tick();
    await world.api("PUT", `/v1/games/${game}`, {});
    expect(await world.api("POST", `/v1/games/${game}/scores`, { player: "ann", points: 2 })).toMatchObject({
      ranked: true,
      rank: 1,
    });
    await world.tick();
    expect((await answersOf(game))["boards/current/top"]).toBe("200");
  });
});

describe("an empty game", () => {
  it("is answered from Redis while Postgres is out, and is 200 everywhere", async () => {
    const game = await world.game();
    await world.neon.faults([{ action: "status" }]);
    const { status } = await world.ask("GET", `/v1/games/${game}/boards/current/top?n=17`);
    await world.neon.faults([]);
    await world.run((deps) => deps.awaitStores());
    expect(status).toBe(200);
  });
});
