import { describe, expect, it } from "vitest";
import type { Engine } from "./engine.ts";
import { NEXT_WEEK, WEEK, type Week } from "./keys.ts";
import { useRedis } from "./use-redis.ts";

const server = useRedis();

/** Expiry (unix second) of every key of a week but the lease, which ends by itself. */
async function expiries(engine: Engine, week: Week): Promise<Record<string, number>> {
  const keys = (await server.redis.keys(`${engine.keys.prefix}:*${week.label}*`)).filter(
    (key) => !key.endsWith(":push"),
  );
  const times = await Promise.all(
    keys.map(async (key) => [key.slice(engine.keys.prefix.length), await server.redis.expiretime(key)]),
  );
  return Object.fromEntries(times);
}

const allWeeklyKeys = (week: Week, ...countries: string[]) =>
  Object.fromEntries(
    [`:board:${week.label}`, ...countries.map((code) => `:board:${week.label}:${code}`)].map((key) => [
      key,
      week.expiry,
    ]),
  );

describe("every weekly key expires 35 days after its week", () => {
  it("after the first submission", async () => {
    const engine = await server.openGame();
    await engine.submit([{ player: "ann", points: 1, country: "DE" }], WEEK);
    expect(await expiries(engine, WEEK)).toEqual(allWeeklyKeys(WEEK, "DE"));
  });

  it("after a first batch of several players, countries and weeks", async () => {
    const engine = await server.openGame();
    const items = ["DE", "FR", "DE", "US", "FR", "DE"].map((country, i) => ({
      player: `p${i}`,
      points: 10 - i,
      country,
    }));
    const later = { player: "p0", points: 1, week: NEXT_WEEK, country: "JP" };
    await engine.submit([...items, later, { ...later, player: "p1" }], WEEK);
    expect(await expiries(engine, WEEK)).toEqual(allWeeklyKeys(WEEK, "DE", "FR", "US"));
    expect(await expiries(engine, NEXT_WEEK)).toEqual(allWeeklyKeys(NEXT_WEEK, "JP"));
  });

  it("after a batch in which one player improves and moves between countries", async () => {
    const engine = await server.openGame();
    await engine.submit(
      [
        { player: "ann", points: 5, country: "DE" },
        { player: "bob", points: 4, country: "DE" },
        { player: "ann", points: 9, country: "FR", left: ["DE"] },
      ],
      WEEK,
    );
    expect(await expiries(engine, WEEK)).toEqual(allWeeklyKeys(WEEK, "DE", "FR"));
  });

  it("after its players were counted", async () => {
    const engine = await server.openGame();
    await engine.submit([{ player: "ann", points: 1 }], WEEK);
    await engine.count(engine.keys.board(WEEK), WEEK);
    expect(await expiries(engine, WEEK)).toEqual({
      ...allWeeklyKeys(WEEK),
      [`:players:${WEEK.label}`]: WEEK.expiry,
      [`:players:${WEEK.label}:counted`]: WEEK.expiry,
    });
  });

  it("after a rebuild", async () => {
    const engine = await server.openGame();
    const entries = ["ann", "bob"].map((player) => ({ player, points: 5, at: WEEK.start }));
    await engine.fill(engine.keys.board(WEEK), entries);
    await engine.fill(engine.keys.country(WEEK, "DE"), entries);
    const expected = { ...allWeeklyKeys(WEEK, "DE"), [`:players:${WEEK.label}`]: WEEK.expiry };
    expect(await expiries(engine, WEEK)).toEqual(expected);
  });

  it("after the last member was removed and somebody else came", async () => {
    const engine = await server.openGame();
    await engine.submit([{ player: "ann", points: 1, country: "DE" }], WEEK);
    await engine.correct(engine.keys.board(WEEK), "ann", undefined);
    await engine.correct(engine.keys.country(WEEK, "DE"), "ann", undefined);
    expect(await expiries(engine, WEEK)).toEqual({});
    await engine.submit([{ player: "bob", points: 1, country: "DE" }], WEEK);
    expect(await expiries(engine, WEEK)).toEqual(allWeeklyKeys(WEEK, "DE"));
  });

  it("after a correction that creates a board", async () => {
    const engine = await server.openGame();
    const best = { points: 3, at: WEEK.start };
    await engine.correct(engine.keys.board(WEEK), "ann", best);
    await engine.correct(engine.keys.country(WEEK, "DE"), "ann", best);
    expect(await expiries(engine, WEEK)).toEqual(allWeeklyKeys(WEEK, "DE"));
  });

  it("after a move to a country that had no board", async () => {
    const engine = await server.openGame();
    await engine.submit(
      [
        { player: "ann", points: 5, country: "DE" },
        { player: "bob", points: 6, country: "DE" },
      ],
      WEEK,
    );
    await engine.submit([{ player: "ann", points: 5, country: "FR", left: ["DE"], flags: "w" }], WEEK);
    expect(await expiries(engine, WEEK)).toEqual(allWeeklyKeys(WEEK, "DE", "FR"));
  });

  it("after a lost board came back by a submission that is no best", async () => {
    const engine = await server.openGame();
    const item = { player: "ann", points: 5, country: "DE" };
    await engine.submit([item], WEEK);
    await server.redis.del(engine.keys.board(WEEK).key, engine.keys.country(WEEK, "DE").key);
    await engine.submit([{ ...item, flags: "" }], WEEK);
    expect(await expiries(engine, WEEK)).toEqual(allWeeklyKeys(WEEK, "DE"));
  });
});

it("the all-time board, what versions begin with and the feed never expire", async () => {
  const engine = await server.openGame();
  await engine.submit([{ player: "ann", points: 1 }], WEEK);
  for (const key of [engine.keys.allTime.key, engine.keys.moderated, engine.keys.activity]) {
    expect(await server.redis.ttl(key)).toBe(-1);
  }
});
