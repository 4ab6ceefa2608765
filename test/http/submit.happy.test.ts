import { describe, expect, it } from "vitest";
import { ScoreResponse } from "../../functions/contract/scores.ts";
import { weekEnd, weekOf } from "../../functions/domain/board/week.ts";
import { call } from "../harness/api.ts";
import { newGame } from "../harness/game.ts";
import { openStores } from "../harness/stores.ts";

const stores = openStores();

describe("POST /scores", () => {
  it("answers the first submission of a game with every field of the contract", async () => {
    const game = await newGame();
    const answer = await game.post({ player: "ada", points: 1200, country: "de" });
    const body = ScoreResponse.strict().parse(answer.body);
    expect(answer.status).toBe(201);
    const week = weekOf(Date.parse(body.submittedAt));
    expect(body).toEqual({
      submissionId: body.submissionId,
      game: game.id,
      player: "ada",
      points: 1200,
      submittedAt: body.submittedAt,
      week,
      country: "DE",
      improved: true,
      best: 1200,
      previousBest: null,
      rank: 1,
      boardSize: 1,
      countryRank: 1,
      allTime: { improved: true, best: 1200, rank: 1 },
      resetsAt: new Date(weekEnd(week)).toISOString(),
      ranked: true,
      replayed: false,
    });
  });

  it("shows the submission in top, around, standing, feed and count, and in Postgres", async () => {
    const game = await newGame();
    const { submissionId, submittedAt, week } = await game.submit({ player: "ada", points: 1200 });
    const entry = {
      rank: 1,
      competitionRank: 1,
      player: "ada",
      points: 1200,
      value: 1200,
      achievedAt: `${submittedAt.slice(0, 19)}.000Z`,
    };
    expect((await game.top()).entries).toEqual([entry]);
    expect(await game.around("ada")).toMatchObject({ entry, entries: [entry], boardSize: 1 });
    expect(await game.standing("ada")).toMatchObject({ ...entry, boardSize: 1, percentile: 100 });
    expect(await game.feed()).toEqual({
      events: [{ submissionId, player: "ada", points: 1200, best: 1200, rank: 1, week, submittedAt }],
      next: null,
    });
    expect(await game.count()).toMatchObject({ board: week, estimate: 1, ranked: 1 });
    const { rows } = await stores.postgres.query("select id, player, points, week from submissions where game = $1", [
      game.id,
    ]);
    expect(rows).toEqual([{ id: submissionId, player: "ada", points: "1200", week }]);
  });

  it("lets a best only go up: 500, 300, 900", async () => {
    const game = await newGame();
    const answers = [];
    for (const points of [500, 300, 900]) answers.push(await game.submit({ player: "ada", points }));
    expect(answers.map(({ improved, best, previousBest }) => ({ improved, best, previousBest }))).toEqual([
      { improved: true, best: 500, previousBest: null },
      { improved: false, best: 500, previousBest: 500 },
      { improved: true, best: 900, previousBest: 500 },
    ]);
    expect(answers.map(({ allTime }) => allTime)).toEqual([
      { improved: true, best: 500, rank: 1 },
      { improved: false, best: 500, rank: 1 },
      { improved: true, best: 900, rank: 1 },
    ]);
    expect((await game.standing("ada")).points).toBe(900);
    expect(await stores.submissions(game.id)).toBe(3);
  });

  it("ranks by points, among players and after every submission", async () => {
    const game = await newGame();
    const ranks = [];
    for (const [player, points] of [
      ["a", 10],
      ["b", 30],
      ["c", 20],
      ["a", 25],
      ["a", 40],
    ]) {
      const { rank, boardSize } = await game.submit({ player, points });
      ranks.push([rank, boardSize]);
    }
    expect(ranks).toEqual([
      [1, 1],
      [1, 2],
      [2, 3],
      [2, 3],
      [1, 3],
    ]);
    expect((await game.top()).entries.map(({ player, points }) => [player, points])).toEqual([
      ["a", 40],
      ["b", 30],
      ["c", 20],
    ]);
  });

  it("takes points of 0 and ranks the player", async () => {
    const game = await newGame();
    expect(await game.submit({ player: "ada", points: 0 })).toMatchObject({ improved: true, best: 0, rank: 1 });
    expect((await game.standing("ada")).points).toBe(0);
  });

  it("keeps games apart", async () => {
    const [one, other] = [await newGame(), await newGame()];
    await one.submit({ player: "ada", points: 5 });
    expect(await other.submit({ player: "ada", points: 3 })).toMatchObject({ improved: true, previousBest: null });
    expect((await one.standing("ada")).points).toBe(5);
  });

  it.each([
    "application/json; charset=utf-8",
    "application/json;charset=UTF-8",
    'application/json; charset="utf-8"',
    "application/json;",
    "application/json; ",
    "application/json ; charset=utf-8",
    "application/json;; charset=utf-8;",
    "Application/JSON",
  ])("takes the content type %o", async (type) => {
    const game = await newGame();
    const { status } = await call(`${game.base}/scores`, {
      body: { player: "ada", points: 1 },
      headers: { "content-type": type },
    });
    expect(status).toBe(201);
  });

  it("keeps the maximum of eight concurrent clients with rising scores", async () => {
    const game = await newGame();
    const clients = Array.from({ length: 8 }, (_, client) => `client-${client}`);
    await Promise.all(
      clients.map(async (player, client) => {
        for (let step = 1; step <= 15; step++) {
          const points = step * 10 + client;
          expect(await game.submit({ player, points })).toMatchObject({ improved: true, best: points });
        }
      }),
    );
    const { entries } = await game.top();
    expect(entries.map(({ player, points }) => [player, points])).toEqual(
      clients.map((player, client) => [player, 150 + client]).toReversed(),
    );
    expect(await stores.submissions(game.id)).toBe(120);
  });
});
