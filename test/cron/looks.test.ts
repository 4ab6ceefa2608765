import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { weekOf } from "../../functions/domain/board/week.ts";
import { countryKey } from "../harness/board-keys.ts";
import { startWorld, type World } from "./world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

const Ranked = z.object({ rank: z.int(), countryRank: z.int().nullable() });
const COUNTRIES = ["DE", "FR", "IT", "ES", "PL", "SE"];
/** A whole board that was looked at is looked at again after this long at the latest. */
const DUE_MS = 6_000;
const A_MINUTE_MS = 60_000;

const startedMs = Date.now();

/** By a Worker whose clock is at `atMs` of this file, however long the calls before took. */
async function submit(game: string, player: string, points: number, country: string, atMs: number) {
  const laterMs = startedMs + atMs - Date.now();
  const { body } = await world.ask("POST", `/v1/games/${game}/scores`, { player, points, country }, { laterMs });
  return Ranked.parse(body);
}

/** A game that Redis has, verified. */
async function playedGame(): Promise<string> {
  const game = await world.game();
  await world.submit(game, { player: "first", points: 1_000_000 });
  await world.tick();
  return game;
}

describe("looks at a game that is played", () => {
  it("do not wait for each other's players, and take nothing for behind that is only under way", async () => {
    const game = await playedGame();
    await world.neon.reset();
    // Both have stored their submission when either asks what Redis must hold.
    await world.neon.faults([{ match: "facts_of_game", action: "delay", delayMs: 300, times: 2 }]);
    const ranked = await Promise.all(["ada", "bob"].map((player) => submit(game, player, 1, "DE", DUE_MS)));
    for (const { rank } of ranked) expect([2, 3]).toContain(rank);
    // Reconciling begins with the window of what is not verified.
    expect((await world.neon.stats()).byName).not.toHaveProperty("with");
  });

  it("are at a country once, and then at all countries when the whole board is due", async () => {
    const game = await playedGame();
    const inAll = (name: string, points: number) =>
      Promise.all(COUNTRIES.map((country) => submit(game, `${name}-${country}`, points, country, A_MINUTE_MS)));
    await inAll("first", 500);
    await inAll("second", 400);
    await world.neon.reset();
    for (const country of COUNTRIES) await submit(game, `second-${country}`, 300, country, A_MINUTE_MS + 2_000);
    expect((await world.neon.stats()).requests).toBe(COUNTRIES.length);

    const lost = countryKey(game, weekOf(Date.now()), "FR");
    await world.redis.del(lost);
    await submit(game, "third-DE", 200, "DE", A_MINUTE_MS + 2_000 + DUE_MS);
    await world.tick();
    expect(await world.redis.zcard(lost)).toBe(2);
  });
});
