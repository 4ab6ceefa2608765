import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { ScoreResponse } from "../../functions/contract/scores.ts";
import { call, freshGame } from "../harness/api.ts";
import { pointersOf, problemOf } from "../harness/game.ts";
import { gameWith, LAPS, put, remove, storedBoards } from "./defined-boards.ts";

const { postgres } = storedBoards();
const NEVER = { schedule: { kind: "never" } };

const post = (game: string, body: object, key: string = randomUUID(), query = "") =>
  call(`/v1/games/${game}/scores${query}`, { method: "POST", body, headers: { "idempotency-key": key } });

async function submit(game: string, body: object, key?: string) {
  const answer = await post(game, body, key);
  expect([200, 201], JSON.stringify(answer.body)).toContain(answer.status);
  return ScoreResponse.strict().parse(answer.body);
}

/** What the player holds after each of these submissions to the only board. */
async function holds(game: string, values: readonly Record<string, number>[]): Promise<unknown[]> {
  const found: unknown[] = [];
  for (const one of values) found.push((await submit(game, { player: "ada", values: one })).boards?.[0]?.best);
  return found;
}

async function submissionsOf(game: string): Promise<unknown[]> {
  return (await postgres.query("select points, boards from submissions where game = $1 order by id", [game])).rows;
}

describe("a submission to boards that the game defined", () => {
  it("says what it brought, what the player held and holds, and when the period ends", async () => {
    const game = await gameWith("laps", LAPS);
    const first = await submit(game, { player: "ada", values: { lapMs: 84_002 } });
    const [laps] = first.boards ?? [];
    expect(laps).toMatchObject({
      board: "laps",
      value: 84_002,
      improved: true,
      best: 84_002,
      previous: null,
      counted: true,
      boardSize: 1,
    });
    expect(laps?.key).toBe(`laps.${laps?.period}`);
    expect(Date.parse(laps?.resetsAt ?? "")).toBeGreaterThan(Date.now());
    expect(first).toMatchObject({ points: null, rank: null, best: null, ranked: true });

    const better = await submit(game, { player: "ada", values: { lapMs: 83_211 } });
    expect(better.boards).toMatchObject([{ value: 83_211, improved: true, best: 83_211, previous: 84_002 }]);
    const worse = await submit(game, { player: "ada", values: { lapMs: 90_000 } });
    expect(worse.boards).toMatchObject([{ value: 90_000, improved: false, best: 83_211, previous: 83_211 }]);
  });

  it("with points too is on the default boards as ever, and in a game without boards the answer has none", async () => {
    const game = await gameWith("laps", LAPS);
    const both = await submit(game, { player: "ada", points: 1_200, values: { lapMs: 83_211 } });
    expect(both).toMatchObject({
      points: 1_200,
      rank: 1,
      best: 1_200,
      allTime: { rank: 1 },
      boards: [{ board: "laps" }],
    });
    expect((await submit(game, { player: "ben", points: 7 })).boards).toEqual([]);
    expect(await submit(await freshGame(), { player: "ada", points: 7 })).not.toHaveProperty("boards");
  });

  it.each([
    ["best", { aggregation: "best" }, [3, 5, 4], [3, 5, 5]],
    ["best, less is better", { aggregation: "best", order: "asc" }, [3, 5, 2], [3, 3, 2]],
    ["last", { aggregation: "last" }, [3, 5, 4], [3, 5, 4]],
    ["sum", { aggregation: "sum" }, [3, 0, 4], [3, 3, 7]],
    ["sum with negatives", { aggregation: "sum", value: { min: -10, max: 10, decimals: 0 } }, [3, -5, 1], [3, -2, -1]],
    ["sum, less is better", { aggregation: "sum", order: "asc" }, [3, 5], [3, 8]],
    [
      "sum of decimals",
      { aggregation: "sum", value: { min: 0, max: 10, decimals: 2 } },
      [0.1, 0.2, 0.7],
      [0.1, 0.3, 1],
    ],
    ["count", { aggregation: "count" }, [3.75, -1e9, 0], [1, 2, 3]],
  ])("folds %s", async (_, rule, values, held) => {
    const game = await gameWith("board", { statistic: "it", ...NEVER, ...rule });
    expect(
      await holds(
        game,
        values.map((it) => ({ it })),
      ),
    ).toEqual(held);
  });

  it("compares several statistics one after the other, as the run that they are of", async () => {
    const parts = [
      { statistic: "stars", bits: 8 },
      { statistic: "lapMs", order: "asc", bits: 25 },
    ];
    const game = await gameWith("runs", { parts, ...NEVER });
    const improved: unknown[] = [];
    for (const values of [
      { stars: 2, lapMs: 100 },
      { stars: 2, lapMs: 90 },
      { stars: 1, lapMs: 1 },
      { stars: 3, lapMs: 999 },
    ]) {
      improved.push((await submit(game, { player: "ada", values })).boards?.[0]?.improved);
    }
    expect(improved).toEqual([true, true, false, true]);
    const half = await post(game, { player: "ada", values: { stars: 3 } });
    expect(pointersOf(problemOf(half, "invalid"))).toEqual(["/values/lapMs"]);
  });

  it("is on keyed boards under the key that it names, and on none when it names none", async () => {
    const game = await gameWith("song", { statistic: "notes", keyed: true, ...NEVER });
    const on = (song?: string) =>
      submit(game, { player: "ada", values: { notes: 9 }, ...(song === undefined ? {} : { keys: { song } }) });
    expect((await on("track-88")).boards).toMatchObject([
      { key: "song~track-88.all", period: "all", resetsAt: null, best: 9 },
    ]);
    expect((await on("track-89")).boards).toMatchObject([{ key: "song~track-89.all", previous: null }]);
    expect((await on()).boards).toEqual([]);
  });

  it("is answered alike when it comes again, and another one under its key is refused", async () => {
    const game = await gameWith("wins", { statistic: "wins", aggregation: "sum", ...NEVER });
    const body = { player: "ada", values: { wins: 2 }, segments: { platform: "ios" } };
    await submit(game, body, "k");
    const again = await submit(game, body, "k");
    expect(again).toMatchObject({ replayed: true, boards: [{ improved: false, best: 2, previous: null }] });
    for (const other of [
      { values: { wins: 3 } },
      { segments: { platform: "web" } },
      { segments: undefined },
      { keys: { wins: "x" } },
      { points: 1 },
    ])
      problemOf(await post(game, { ...body, ...other }, "k"), "idempotency-conflict");
    expect(await holds(game, [{ wins: 1 }])).toEqual([3]);
  });
});

describe("a value that a board does not take", () => {
  it.each([
    [{ lapMs: 3_600_001 }, ["/values/lapMs"]],
    [{ lapMs: -1 }, ["/values/lapMs"]],
    [{ lapMs: 1.5 }, ["/values/lapMs"]],
    [{ lapMs: 1.5, wins: -1 }, ["/values/lapMs", "/values/wins"]],
  ])("refuses the submission %j with pointer and board, and nothing is written", async (values, pointers) => {
    const game = await gameWith("laps", LAPS);
    await put(game, "wins", { statistic: "wins", ...NEVER });
    const problem = problemOf(await post(game, { player: "ada", points: 5, values }), "invalid");
    expect(pointersOf(problem).sort()).toEqual(pointers);
    expect(JSON.stringify(problem)).toContain('on the board \\"laps\\"');
    expect(await submissionsOf(game)).toEqual([]);
  });

  it("is fine for a game whose boards do not name it", async () => {
    const game = await gameWith("laps", LAPS);
    expect((await submit(game, { player: "ada", values: { height: -1.5 } })).boards).toEqual([]);
  });
});

describe("a definition that changes", () => {
  it("while players go on: each submission counts by one of the two, and none fails", async () => {
    const game = await gameWith("wins", { statistic: "wins", aggregation: "sum", ...NEVER });
    const changing = { more: true };
    const playing = Promise.all(
      Array.from({ length: 6 }, async (_, i) => {
        let n = 0;
        for (; changing.more || n < 5; n += 1) await submit(game, { player: `p${i}`, values: { wins: 1 } });
        return n;
      }),
    );
    for (let n = 0; n < 6; n += 1) {
      expect(
        (await put(game, "wins", { statistic: "wins", aggregation: "sum", title: `t${n}`, ...NEVER })).status,
      ).toBe(200);
      expect((await put(game, `also-${n}`, { statistic: "wins", ...NEVER })).status).toBe(201);
    }
    changing.more = false;
    const played = await playing;
    const { rows } = await postgres.query(
      "select points::int as n from bests where game = $1 and board = 'wins.all' order by player",
      [game],
    );
    expect(rows).toEqual(played.map((n) => ({ n })));
  });
});

describe("a total that would leave its board's bounds", () => {
  const TEN = { statistic: "wins", aggregation: "sum", value: { min: 0, max: 10, decimals: 0 }, ...NEVER };

  it("is refused for that board alone, and a retry says so too", async () => {
    const game = await gameWith("ten", TEN);
    await put(game, "all", { statistic: "wins", aggregation: "sum", ...NEVER });
    await submit(game, { player: "ada", values: { wins: 8 } });
    for (const replayed of [false, true]) {
      const { boards } = await submit(game, { player: "ada", values: { wins: 3 } }, "again");
      expect(boards).toMatchObject([
        { board: "all", best: 11, counted: true },
        {
          board: "ten",
          counted: false,
          reason: "total-out-of-range",
          improved: false,
          ...(replayed ? {} : { best: 8 }),
        },
      ]);
    }
    expect(await holds(game, [{ wins: 2 }])).toEqual([13]);
  });

  it("refuses all of it with ?strict=true", async () => {
    const game = await gameWith("ten", TEN);
    await submit(game, { player: "ada", values: { wins: 8 } });
    problemOf(await post(game, { player: "ada", points: 5, values: { wins: 3 } }, "k", "?strict=true"), "invalid");
    expect(await submissionsOf(game)).toHaveLength(1);
    expect((await post(game, { player: "ada", values: { wins: 2 } }, "k", "?strict=true")).status).toBe(201);
  });
});

describe("periods", () => {
  it("are written by the first submission that finds none: 200 at once make one row", async () => {
    const game = await gameWith("laps", {
      ...LAPS,
      schedule: { kind: "every", every: "PT1M", anchor: "2026-01-01T00:00:00Z" },
    });
    await postgres.query("delete from periods where game = $1", [game]);
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, i) => submit(game, { player: `p${i}`, values: { lapMs: i } })),
    );
    const keys = answers.map(({ boards }) => boards?.[0]?.key);
    const { rows } = await postgres.query("select period from periods where game = $1", [game]);
    expect([...new Set(keys)].sort()).toEqual(
      z
        .array(z.object({ period: z.string() }))
        .parse(rows)
        .map(({ period }) => `laps.${period}`)
        .sort(),
    );
  });

  it("that are over count nothing any more, and in a gap nothing counts", async () => {
    const season = (id: string, startsAt: number, endsAt: number) => ({
      id,
      startsAt: new Date(startsAt).toISOString(),
      endsAt: new Date(endsAt).toISOString(),
    });
    const [now, day] = [Math.floor(Date.now() / 1_000) * 1_000, 86_400_000];
    const seasons = [season("one", now - 3 * day, now - day), season("two", now + day, now + 2 * day)];
    const game = await gameWith("cup", { statistic: "wins", schedule: { kind: "seasons", seasons } });
    expect((await submit(game, { player: "ada", values: { wins: 1 } })).boards).toMatchObject([
      { board: "cup", key: null, period: null, counted: false, reason: "no-period", best: null },
    ]);
    const late = { player: "ada", values: { wins: 1 }, submittedAt: new Date(now - 2 * day).toISOString() };
    expect((await submit(game, late)).boards).toMatchObject([
      { period: "one", counted: false, reason: "period-final" },
    ]);
  });

  it("that follow each other share no submission and lose none, while players go on", async () => {
    const [now, hour] = [Math.floor(Date.now() / 1_000) * 1_000, 3_600_000];
    const turn = now + 3_000;
    const iso = (ms: number) => new Date(ms).toISOString();
    const seasons = [
      { id: "one", startsAt: iso(now - hour), endsAt: iso(turn) },
      { id: "two", startsAt: iso(turn), endsAt: iso(now + hour) },
    ];
    const game = await gameWith("cup", {
      statistic: "it",
      aggregation: "count",
      schedule: { kind: "seasons", seasons },
    });
    const counted = new Map<string, number>();
    await Promise.all(
      Array.from({ length: 8 }, async (_, i) => {
        while (Date.now() < turn + 500) {
          const { boards, submittedAt } = await submit(game, { player: `p${i}`, values: { it: 1 } });
          const period = boards?.[0]?.period ?? "none";
          expect(boards).toMatchObject([{ counted: true, period: Date.parse(submittedAt) < turn ? "one" : "two" }]);
          counted.set(`cup.${period} p${i}`, (counted.get(`cup.${period} p${i}`) ?? 0) + 1);
        }
      }),
    );
    const { rows } = await postgres.query(
      "select board || ' ' || player as key, points::int as n from bests where game = $1 and board like 'cup.%'",
      [game],
    );
    const stored = z.array(z.object({ key: z.string(), n: z.int() })).parse(rows);
    expect(new Map(stored.map(({ key, n }) => [key, n]))).toEqual(counted);
    expect([...counted.keys()].some((key) => key.startsWith("cup.two"))).toBe(true);
  });

  it("move nowhere when a board is deleted and defined anew: the new one starts empty", async () => {
    const game = await gameWith("wins", { statistic: "wins", aggregation: "sum", ...NEVER });
    expect(await holds(game, [{ wins: 1 }, { wins: 1 }])).toEqual([1, 2]);
    await remove(game, "wins", "?now=true");
    expect(await submit(game, { player: "ada", values: { wins: 5 } })).not.toHaveProperty("boards");
    await put(game, "wins", { statistic: "wins", aggregation: "sum", ...NEVER });
    expect(await holds(game, [{ wins: 1 }])).toEqual([1]);
  });
});
