import { describe, expect, it } from "vitest";
import { engineOf } from "./engine.ts";
import { WEEK } from "./keys.ts";
import { useRedis } from "./use-redis.ts";

const server = useRedis();

/** A game with two players, and what looks at its week with all that stands beside the board. */
async function played() {
  const engine = await server.openGame();
  await engine.submit(
    [
      { player: "ann", points: 9, submission: "s-1" },
      { player: "bob", points: 8, submission: "s-2" },
    ],
    WEEK,
  );
  const week = engine.keys.board(WEEK);
  const [counted, players] = [engine.keys.counted(WEEK), week.players ?? ""];
  await engine.count(week, WEEK);
  await server.redis.del(week.lease);
  const keys = [engine.keys.activity, week.moderated, week.key, week.lease, players, counted];
  const inspect = () => engine.call("inspect", keys, [20, "u", 2, "ann", "nobody"]);
  return { engine, week, counted, players, inspect };
}

describe("inspect", () => {
  it("tells sizes, distinct players, raw scores and the newest events", async () => {
    const { engine, week, inspect } = await played();
    const [, score] = await engine.raw(week);
    expect(await inspect()).toEqual(["ok", "1", "2", "s-2", "s-1", "2", "2", score, ""]);
  });

  it("calls a game damaged of which a key has a wrong type, and one whose lease never ends", async () => {
    const { engine, week, counted, players, inspect } = await played();
    for (const key of [week.key, players, counted]) {
      await server.redis.rename(key, `${key}:away`);
      await server.redis.hset(key, "not", "ours");
      expect([key, await inspect()]).toEqual([key, ["damaged"]]);
      await server.redis.rename(`${key}:away`, key);
    }
    await server.redis.set(week.lease, "1");
    expect(await inspect()).toEqual(["damaged"]);
    await server.redis.del(week.lease);
    await server.redis.set(engine.keys.activity, "no stream");
    expect(await inspect()).toEqual(["damaged"]);
    await server.redis.del(engine.keys.activity);
    expect(await inspect()).toEqual(["missing"]);
  });

  it("tells that what versions begin with is lost", async () => {
    const { week, inspect } = await played();
    await server.redis.hset(`${week.moderated}:other`, "not", "ours");
    await server.redis.rename(`${week.moderated}:other`, week.moderated);
    expect((await inspect())[1]).toBe("0");
  });
});

describe("condemn", () => {
  it("makes the game missing and keeps what versions begin with, unless that is damaged", async () => {
    const { engine, week } = await played();
    const keys = [engine.keys.activity, ...engine.keys.rebuild, week.moderated];
    expect(await engine.call("condemn", keys, [])).toEqual(["condemned"]);
    expect(await server.redis.get(week.moderated)).toBe("1");
    expect(await engine.call("condemn", keys, [])).toEqual(["missing"]);
    await engine.open();
    await server.redis.set(week.moderated, "no number");
    await engine.call("condemn", keys, []);
    expect(await server.redis.exists(...keys)).toBe(0);
  });
});

describe("begin", () => {
  it("takes a lease that never ends, and a state that is none, for nobody's", async () => {
    const { keys, call } = engineOf(server.redis);
    const [lease, state] = keys.rebuild;
    for (const damage of ["SET", "RPUSH"]) {
      await server.redis.call(damage, lease ?? "", "somebody");
      await server.redis.rpush(state ?? "", "not", "ours");
      expect(await call("begin", [keys.activity, ...keys.rebuild], ["me", 60_000])).toEqual(["begun", "me", ""]);
      await server.redis.del(...keys.rebuild);
    }
  });
});
