import { describe, expect, it } from "vitest";
import { allTimeScore } from "../../functions/domain/board/score.ts";
import { engineOf, nowUs } from "./engine.ts";
import { ALL_TIME_FIRST, ALL_TIME_LAST } from "./keys.ts";
import { useRedis } from "./use-redis.ts";

const server = useRedis();

/** Points whose scores JavaScript prints with all digits, too long for a 64-bit integer, and their neighbours. */
const POINTS = [6_734_769_043, 6_734_769_042, 6_706_692_096, 6_706_692_095].concat([
  1_883_242_496, 1_883_242_495, 1_855_165_548, 1_855_165_547, 4_294_967_296, 4_294_967_295, 1, 0,
]);
const SPELLINGS: [how: string, spell: (score: number) => string][] = [
  ["as JavaScript prints them", (score) => String(score)],
  ["with an exponent and 17 digits", (score) => score.toExponential(16)],
  ["with an exponent and the fewest digits", (score) => score.toExponential()],
  ["with all digits, hundreds of them", (score) => BigInt(Math.round(score)).toString()],
];
const whole = (score: number) => Number.isInteger(score);

describe("scores on their way into a board", () => {
  it.each(SPELLINGS)("are read %s", async (how, spell) => {
    const engine = await server.openGame();
    const places = POINTS.toSorted((a, b) => b - a).flatMap((points) =>
      [ALL_TIME_FIRST, ALL_TIME_LAST].map((at) => ({ player: `${points}@${at}`, points, at })),
    );
    const scored = places
      .map((place) => ({ place, score: allTimeScore(place.points, place.at) }))
      .filter(({ score }) => !how.startsWith("with all digits") || whole(score));
    expect(scored.length).toBeGreaterThan(10);
    const { allTime } = engine.keys;
    const entries = scored.flatMap(({ place, score }) => [spell(score), place.player]);
    const filled = await engine.call("fill", [allTime.key], [nowUs(), "", "", "", scored.length, 0, ...entries]);
    expect(filled.slice(0, 2)).toEqual(["ok", String(scored.length)]);
    expect((await engine.top(allTime, 100)).entries).toEqual(scored.map(({ place }) => place));
    for (const [i, { place }] of scored.entries()) {
      expect((await engine.around(allTime, place.player, 0)).entries).toEqual([place]);
      const next = scored.slice(i + 1, i + 2).map((one) => one.place);
      expect((await engine.top(allTime, 1, place)).entries).toEqual(next);
    }
  });

  it.each(["", "x", "1e", "1e5x", ".", "--1", "1 2"])("are refused when they are no number: '%s'", async (spelled) => {
    const engine = engineOf(server.redis);
    const { allTime } = engine.keys;
    const filling = engine.call("fill", [allTime.key], [nowUs(), "", "", "", 1, 0, spelled, "ann"]);
    await expect(filling).rejects.toThrow("score must be a number");
    expect(await server.redis.exists(allTime.key)).toBe(0);
  });
});
