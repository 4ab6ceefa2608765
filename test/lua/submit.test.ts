import { describe, expect, it } from "vitest";
import { engineOf, nowUs, type Engine } from "./engine.ts";
import { NEXT_WEEK, WEEK } from "./keys.ts";
import { useRedis } from "./use-redis.ts";

const server = useRedis();

const second = (n: number) => WEEK.start + n;

describe("submit", () => {
  it("puts a first submission on the week's, the country's and the all-time board and says where it stands", async () => {
    const engine = await server.openGame();
    const reply = await engine.submit([{ player: "ann", points: 100, country: "DE" }], WEEK);
    expect(reply.status).toBe("ranked");
    expect(reply.places).toEqual([{ rank: "1", countryRank: "1", allTimeRank: "1" }]);
    for (const board of [engine.keys.board(WEEK), engine.keys.country(WEEK, "DE"), engine.keys.allTime]) {
      expect((await engine.top(board)).entries).toEqual([{ player: "ann", points: 100, at: WEEK.start }]);
    }
    expect(await engine.count(engine.keys.board(WEEK), WEEK)).toEqual(["ok", "1", "1", ""]);
  });

  it("adds one feed event with the rank that the submission produced", async () => {
    const engine = await server.openGame();
    await engine.submit([{ player: "ann", points: 100 }], WEEK);
    await engine.submit([{ player: "bob", points: 50, submission: "s-2", at: second(7) }], WEEK);
    expect((await engine.events())[1]).toEqual({
      submission: "s-2",
      player: "bob",
      points: "50",
      best: "50",
      rank: "2",
      week: WEEK.label,
      at: String(second(7) * 1000),
    });
  });

  it("keeps the best: 100 at second 10, then 100 and 50, keeps its place and second", async () => {
    const engine = await server.openGame();
    await engine.submit([{ player: "zoe", points: 100, at: second(10) }], WEEK);
    await engine.submit([{ player: "ann", points: 100, at: second(20) }], WEEK);
    for (const points of [100, 50]) {
      const again = { player: "zoe", points, at: second(30), best: { points, at: second(30) }, flags: "wa" };
      expect((await engine.submit([again], WEEK)).places[0]?.rank).toBe("1");
    }
    expect((await engine.top(engine.keys.board(WEEK))).entries).toEqual([
      { player: "zoe", points: 100, at: second(10) },
      { player: "ann", points: 100, at: second(20) },
    ]);
  });

  it.each([
    ["zzz", "aaa"],
    ["aaa", "zzz"],
  ])("ranks %s before %s when it has as many points one second earlier", async (first, later) => {
    const engine = await server.openGame();
    await engine.submit([{ player: later, points: 5, at: second(11) }], WEEK);
    await engine.submit([{ player: first, points: 5, at: second(10) }], WEEK);
    expect((await engine.top(engine.keys.board(WEEK))).players).toEqual([first, later]);
    expect((await engine.top(engine.keys.allTime)).players).toEqual([first, later]);
  });

  it("ranks the same points of the same second by id, bytes descending", async () => {
    const engine = await server.openGame();
    const ids = ["a", "B", "Z", "aa", "é", "z", "🙂", "~"];
    await engine.submit(
      ids.map((player) => ({ player, points: 5 })),
      WEEK,
    );
    const byBytes = ids.toSorted((a, b) => Buffer.compare(Buffer.from(b), Buffer.from(a)));
    expect((await engine.top(engine.keys.board(WEEK))).players).toEqual(byBytes);
    expect((await engine.top(engine.keys.allTime)).players).toEqual(byBytes);
  });

  it("heals a player's entry from the bests that Postgres has", async () => {
    const engine = await server.openGame();
    const best = { points: 900, at: second(3) };
    const allTime = { points: 5000, at: second(0) - 90_000 };
    await engine.submit([{ player: "ann", points: 10, at: second(60), best, allTime }], WEEK);
    expect((await engine.top(engine.keys.board(WEEK))).entries).toEqual([{ player: "ann", ...best }]);
    expect((await engine.top(engine.keys.allTime)).entries).toEqual([{ player: "ann", ...allTime }]);
  });

  it("writes no board without flags, and answers the ranks that the player has", async () => {
    const engine = await server.openGame();
    await engine.submit([{ player: "ann", points: 100, country: "DE" }], WEEK);
    const before = await engine.raw(engine.keys.board(WEEK));
    const reply = await engine.submit([{ player: "ann", points: 999, country: "DE", flags: "" }], WEEK);
    expect(reply.places).toEqual([{ rank: "1", countryRank: "1", allTimeRank: "1" }]);
    expect(await engine.raw(engine.keys.board(WEEK))).toEqual(before);
    expect(await engine.events()).toHaveLength(2);
  });

  it("puts back a player whom a board has lost, whatever the flags say", async () => {
    const engine = await server.openGame();
    await engine.submit([{ player: "bob", points: 70, country: "DE" }], WEEK);
    const best = { points: 80, at: second(5) };
    for (const board of [engine.keys.board(WEEK), engine.keys.allTime]) {
      await engine.submit([{ player: "ann", points: 80, at: second(5), country: "DE" }], WEEK);
      await server.redis.zrem(board.key, "ann");
      const reply = await engine.submit([{ player: "ann", points: 9, best, country: "DE", flags: "" }], WEEK);
      expect(reply.places).toEqual([{ rank: "1", countryRank: "1", allTimeRank: "1" }]);
      expect(reply.damaged).toBe(true);
      expect(await engine.top(board)).toMatchObject({ boardSize: 2, players: ["ann", "bob"] });
    }
  });

  it("tells of a better place though the player has to be put back elsewhere", async () => {
    const engine = await server.openGame();
    await engine.submit([{ player: "ann", points: 80 }], WEEK, nowUs() - 1_000_000);
    await engine.push(engine.keys.board(WEEK));
    await server.redis.zrem(engine.keys.allTime.key, "ann");
    const reply = await engine.submit([{ player: "ann", points: 90, flags: "w" }], WEEK);
    expect(reply.weeks).toEqual([{ lease: "1" }]);
  });

  it("answers ranks of one moment when a batch puts somebody back", async () => {
    const engine = await server.openGame();
    const items = ["ann", "bob"].map((player, i) => ({ player, points: 10 * (i + 1), flags: "" }));
    const reply = await engine.submit(items, WEEK);
    expect(reply.places.map(({ rank }) => rank)).toEqual(["2", "1"]);
    expect(await server.redis.expiretime(engine.keys.board(WEEK).key)).toBe(WEEK.expiry);
  });

  it("takes a batch of several weeks, with the same player more than once", async () => {
    const engine = await server.openGame();
    const reply = await engine.submit(
      [
        { player: "ann", points: 10, best: { points: 30, at: second(5) }, country: "DE" },
        { player: "bob", points: 20, country: "DE" },
        { player: "ann", points: 30, at: second(5), country: "DE" },
        { player: "ann", points: 7, week: NEXT_WEEK, allTime: { points: 30, at: second(5) } },
      ],
      WEEK,
    );
    expect((await engine.top(engine.keys.board(WEEK))).players).toEqual(["ann", "bob"]);
    expect(reply.places.map(({ rank }) => rank)).toEqual(["1", "2", "1", "1"]);
    expect((await engine.top(engine.keys.board(NEXT_WEEK))).players).toEqual(["ann"]);
    expect((await engine.events()).map((event) => event["points"])).toEqual(["10", "20", "30", "7"]);
  });

  it("takes a thousand submissions in one call", async () => {
    const engine = await server.openGame();
    const items = Array.from({ length: 1000 }, (_, i) => ({
      player: `p${i}`,
      points: i,
      country: i % 2 ? "DE" : "FR",
    }));
    const reply = await engine.submit(items, WEEK);
    expect(reply.places.map(({ rank }) => Number(rank))).toEqual(items.map((_, i) => 1000 - i));
    expect(await engine.events()).toHaveLength(1000);
  });
});

describe("a missing game", () => {
  it("says so, keeps the entry, and starts no feed", async () => {
    const engine = engineOf(server.redis);
    const reply = await engine.submit([{ player: "ann", points: 100, country: "DE" }], WEEK);
    expect(reply.status).toBe("missing");
    expect(await engine.raw(engine.keys.board(WEEK))).toHaveLength(2);
    expect(await server.redis.exists(engine.keys.activity)).toBe(0);
  });

  it("says so to a replay and to every read", async () => {
    const engine = engineOf(server.redis);
    expect((await engine.submit([{ player: "ann", points: 1, submission: "" }], WEEK)).status).toBe("missing");
    const board = engine.keys.board(WEEK);
    expect((await engine.top(board)).status).toBe("missing");
    expect((await engine.around(board, "ann", 2)).status).toBe("missing");
    expect((await engine.push(board)).status).toBe("missing");
    expect(await engine.count(board)).toEqual(["missing"]);
    expect(await engine.count(board, WEEK)).toEqual(["missing"]);
    expect(await engine.feed([], WEEK)).toEqual(["missing", "0"]);
    expect(await engine.trim("0", 10)).toEqual(["missing", "0"]);
  });
});

describe("announcements", () => {
  async function listen(engine: Engine) {
    const subscriber = server.connect();
    const heard: string[] = [];
    await subscriber.subscribe(`${engine.keys.board(WEEK).key}:top10`);
    subscriber.on("message", (_channel: string, message: string) => heard.push(message));
    /** Everything published so far: a PING's answer comes after all earlier messages of the connection. */
    return async () => {
      await subscriber.ping();
      return heard;
    };
  }

  it("tell the player who improves into the top 10, and no other", async () => {
    const engine = await server.openGame();
    const heard = await listen(engine);
    for (let i = 1; i <= 12; i++) await engine.submit([{ player: `p${i}`, points: 100 - i }], WEEK);
    await engine.submit([{ player: "p1", points: 5, best: { points: 99, at: second(0) }, flags: "wa" }], WEEK);
    await engine.submit([{ player: "p12", points: 98, at: second(1), flags: "wa" }], WEEK);
    const first = Array.from({ length: 10 }, (_, i) => `p${i + 1} is now #${i + 1}`);
    expect(await heard()).toEqual([...first, "p12 is now #3"]);
  });

  it("stay silent while the game is missing, since its ranks are not complete", async () => {
    const engine = engineOf(server.redis);
    const heard = await listen(engine);
    await engine.submit([{ player: "ann", points: 1 }], WEEK, nowUs());
    expect(await heard()).toEqual([]);
  });
});
