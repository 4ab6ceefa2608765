import { describe, expect, it } from "vitest";
import { weekOf } from "../../functions/domain/board/week.ts";
import { call } from "../harness/api.ts";
import { newGame, type GameClient } from "../harness/game.ts";
import { openStores } from "../harness/stores.ts";
import { until } from "../harness/until.ts";
import { lastWeek, WEEK_MS } from "./times.ts";
import { weekKey } from "../harness/board-keys.ts";

const stores = openStores();
/** Healing takes a fraction of a second, but a rebuild that a busy machine breaks off waits for its lease. */
const HEALING_MS = 40_000;

/** Ties of points, of seconds and of both; two countries; odd ids; two weeks. */
async function busyGame(): Promise<{ game: GameClient; week: string }> {
  const game = await newGame();
  const { week, at } = lastWeek();
  const players = ["a", "B", "b", "é", "e\u0301", "😀", "7", "007", "z", "ab", "a/b", "～"];
  const submissions = players.flatMap((player, i) => [
    { player, points: 100 - Math.floor(i / 4), submittedAt: at(10 + (i % 2)), country: i % 3 === 0 ? "DE" : "FR" },
    { player, points: 50 + (i % 5), country: i % 2 === 0 ? "DE" : "XX" },
  ]);
  await game.batch(submissions);
  return { game, week };
}

type Read = { path: string; status: number; source: string | null; degraded: string | null; body: object };

/** Bodies of every read of the boards, versions among them. */
async function everyRead(game: GameClient, boards: readonly string[]): Promise<Read[]> {
  const read = async (path: string): Promise<Read & { next: unknown }> => {
    const { status, headers, body } = await call(`${game.base}/boards/${path}`, { key: null });
    const { requestId: _, instance: __, ...rest } = Object(body);
    const [source, degraded] = [headers.get("edgeboard-source"), headers.get("edgeboard-degraded")];
    return { path, status, source, degraded, body: rest, next: rest.next };
  };
  const queries = boards.flatMap((board) =>
    (board === "all-time" ? [""] : ["", "&country=DE", "&country=FR"]).map((country) => ({ board, country })),
  );
  const answers = queries.map(async ({ board, country }) => {
    const first = await read(`${board}/top?n=5${country}`);
    const paths = [`${board}/around/a?k=2${country}`, `${board}/players/007?${country.slice(1)}`];
    if (typeof first.next === "string") paths.push(`${board}/top?n=5${country}&cursor=${first.next}`);
    return [first, ...(await Promise.all(paths.map(read)))];
  });
  return (await Promise.all(answers)).flat();
}

const bodiesOf = (answers: readonly Read[]) => answers.map(({ path, body }) => [path, body]);

describe("a game that Redis lost", () => {
  it("is read from Postgres with the answers that Redis gave, says so, and heals by being read", async () => {
    const { game, week } = await busyGame();
    const boards = ["current", week, "all-time"];
    const whole = await everyRead(game, boards);
    for (const { status, source, path } of whole) expect(source, path).toBe(status === 404 ? null : "redis");

    await stores.lose(game.id);
    const fromPostgres = await until("no page of before is kept any more", async () => {
      const answers = await everyRead(game, boards);
      return answers.every(({ status, source }) => status === 404 || source === "postgres") && answers;
    });
    for (const { status, degraded, path } of fromPostgres) expect(degraded, path).toBe(status === 404 ? null : "true");
    expect(bodiesOf(fromPostgres)).toEqual(bodiesOf(whole));

    await stores.allowRebuild(game.id);
    const healed = await until(
      "Redis has the game again",
      async () => {
        const answers = await everyRead(game, boards);
        return answers.every(({ source, degraded }) => source !== "postgres" && degraded === null) && answers;
      },
      HEALING_MS,
    );
    expect(bodiesOf(healed)).toEqual(bodiesOf(whole));
  });

  it("is rebuilt from nothing, feed included", async () => {
    const { game, week } = await busyGame();
    const whole = await everyRead(game, [week, "all-time"]);
    const events = (await game.feed({ n: 100 })).events.map(({ submissionId }) => submissionId);
    const counts = [await game.count(week), await game.count()];
    const before = await stores.keys(game.id);
    await stores.lose(game.id);
    await stores.redis.del(before);
    expect((await game.feed({ n: 100 })).events.map(({ submissionId }) => submissionId)).toEqual(events);
    await stores.allowRebuild(game.id);
    const healed = await until(
      "Redis has the game again",
      async () => {
        const answers = await everyRead(game, [week, "all-time"]);
        return answers.every(({ source }) => source !== "postgres") && answers;
      },
      HEALING_MS,
    );
    expect(bodiesOf(healed)).toEqual(bodiesOf(whole));
    expect((await game.feed({ n: 100 })).events.map(({ submissionId }) => submissionId)).toEqual(events);
    // These come when they are needed.
    const lasting = (keys: string[]) => keys.filter((key) => !key.endsWith(":counted"));
    expect(lasting(await stores.keys(game.id))).toEqual(lasting(before));
    expect([await game.count(week), await game.count()]).toEqual(counts);
  });

  it("takes submissions meanwhile, as durable but not ranked, and has them when it is back", async () => {
    const { game } = await busyGame();
    await stores.lose(game.id);
    const answer = await game.post({ player: "late", points: 5_000 });
    expect(answer).toMatchObject({ status: 202, body: { ranked: false, rank: null, boardSize: null, best: 5_000 } });
    expect((await game.standing("late")).rank).toBe(1);
    await stores.allowRebuild(game.id);
    await until(
      "the game is whole",
      async () => (await game.post({ player: "late", points: 1 })).status === 201,
      HEALING_MS,
    );
    expect(await game.standing("late")).toMatchObject({ rank: 1, points: 5_000 });
  });
});

describe("a week that Redis no longer keeps", () => {
  it("is read from Postgres, and that is no outage", async () => {
    const game = await newGame();
    const startMs = Date.now() - 60 * 86_400_000;
    const week = weekOf(startMs);
    const secondMs = Math.floor(startMs / 1000) * 1000;
    const old = [
      { player: "a", points: 10, atMs: secondMs, country: "DE" },
      { player: "b", points: 10, atMs: secondMs, country: null },
      { player: "c", points: 20, atMs: secondMs, country: "DE" },
    ];
    for (const { player, points, atMs, country } of old) {
      await stores.postgres.query(
        "insert into bests (game, board, player, points, achieved_at, submission_id, country) values ($1, $2, $3, $4, $5, uuidv7(), $6)",
        [game.id, week, player, points, new Date(atMs), country],
      );
    }
    expect(await stores.redis.exists(weekKey(game.id, week))).toBe(0);
    const answer = await call(`${game.base}/boards/${week}/top`, { key: null });
    expect(answer.headers.get("edgeboard-source")).toBe("postgres");
    expect(answer.headers.get("edgeboard-degraded")).toBeNull();
    const achievedAt = new Date(secondMs).toISOString();
    expect((await game.top(week)).entries).toEqual([
      { rank: 1, competitionRank: 1, player: "c", points: 20, value: 20, achievedAt },
      { rank: 2, competitionRank: 2, player: "b", points: 10, value: 10, achievedAt },
      { rank: 3, competitionRank: 2, player: "a", points: 10, value: 10, achievedAt },
    ]);
    expect((await game.top(week, { country: "DE" })).entries.map(({ player }) => player)).toEqual(["c", "a"]);
    expect(await game.standing("a", week)).toMatchObject({ rank: 3, competitionRank: 2, percentile: 33.33 });
    expect((await game.around("a", { k: 1 }, week)).entries.map(({ player }) => player)).toEqual(["c", "b", "a"]);
    const count = { board: week, estimate: 3, ranked: 3, period: week, state: "closed" };
    expect(await game.count(week)).toMatchObject(count);
    const first = await game.top(week, { n: 2 });
    expect((await game.top(week, { n: 2, cursor: first.next ?? "" })).entries.map(({ rank }) => rank)).toEqual([3]);
  });

  it("keeps its keys in Redis for 35 days after its end", async () => {
    const { game, week } = await busyGame();
    await Promise.all([game.count(week), game.count()]);
    const weekly = (await stores.keys(game.id)).filter((key) => /:\d{4}-W\d{2}(:|$)/.test(key));
    expect(weekly.length).toBeGreaterThan(8);
    for (const key of weekly) {
      const startMs = key.includes(week) ? Date.now() - WEEK_MS : Date.now();
      const sunday = new Date(startMs);
      sunday.setUTCHours(24, 0, 0, 0);
      while (sunday.getUTCDay() !== 1) sunday.setUTCDate(sunday.getUTCDate() + 1);
      expect(await stores.redis.expiretime(key), key).toBe(sunday.getTime() / 1000 + 35 * 86_400);
    }
  });
});
