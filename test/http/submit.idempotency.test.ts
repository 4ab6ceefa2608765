import { describe, expect, it } from "vitest";
import { ScoreResponse } from "../../functions/contract/scores.ts";
import { call } from "../harness/api.ts";
import { newGame, pointersOf, problemOf } from "../harness/game.ts";
import { openStores } from "../harness/stores.ts";
import { lastWeek } from "./times.ts";

const stores = openStores();

describe("an idempotency key", () => {
  it("makes a retry answer 200 with the same submission and no second effect", async () => {
    const game = await newGame();
    const body = { player: "ada", points: 500, country: "DE" };
    const first = ScoreResponse.parse((await game.post(body, "match-1")).body);
    const retry = await game.post(body, "match-1");
    expect(retry.status).toBe(200);
    expect(retry.body).toEqual({ ...first, previousBest: null, replayed: true });
    expect(await stores.submissions(game.id)).toBe(1);
    expect((await game.feed()).events).toHaveLength(1);
  });

  it("makes a retry answer with the current standing", async () => {
    const game = await newGame();
    await game.submit({ player: "ada", points: 500 }, "k");
    await game.submit({ player: "ada", points: 900 });
    await game.submit({ player: "bob", points: 1000 });
    const retry = await game.submit({ player: "ada", points: 500 }, "k");
    expect(retry).toMatchObject({ replayed: true, points: 500, improved: false, best: 900, rank: 2, boardSize: 2 });
  });

  it("sent ten times at once is one submission", async () => {
    const game = await newGame();
    const answers = await Promise.all(Array.from({ length: 10 }, () => game.post({ player: "ada", points: 7 }, "k")));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([...Array(9).fill(200), 201]);
    const bodies = answers.map(({ body }) => ScoreResponse.parse(body));
    expect(new Set(bodies.map(({ submissionId }) => submissionId)).size).toBe(1);
    expect(bodies.filter(({ replayed }) => !replayed)).toHaveLength(1);
    expect(await stores.submissions(game.id)).toBe(1);
    expect((await game.feed()).events).toHaveLength(1);
  });

  it("with another body is refused and changes nothing", async () => {
    const game = await newGame();
    const { at } = lastWeek();
    const body = { player: "ada", points: 7, country: "DE", submittedAt: at(1) };
    await game.submit(body, "k");
    const others = [
      { points: 8 },
      { country: "FR" },
      { country: undefined },
      { submittedAt: at(2) },
      { submittedAt: undefined },
    ];
    for (const change of others) problemOf(await game.post({ ...body, ...change }, "k"), "idempotency-conflict");
    expect(await stores.submissions(game.id)).toBe(1);
    expect((await game.top()).boardSize).toBe(0);
  });

  it("of another player, or in another game, is another key", async () => {
    const [game, other] = [await newGame(), await newGame()];
    await game.submit({ player: "ada", points: 7 }, "k");
    expect(await game.submit({ player: "bob", points: 8 }, "k")).toMatchObject({ replayed: false, improved: true });
    expect(await other.submit({ player: "ada", points: 9 }, "k")).toMatchObject({ replayed: false, improved: true });
  });

  it("is made by the server when there is none, and comes back in a header", async () => {
    const game = await newGame();
    const body = { player: "ada", points: 7 };
    const first = await game.post(body);
    const key = first.headers.get("idempotency-key") ?? "";
    expect(key).not.toBe("");
    const retry = await game.post(body, key);
    expect(retry.status).toBe(200);
    expect(ScoreResponse.parse(retry.body).submissionId).toBe(ScoreResponse.parse(first.body).submissionId);
    const another = await game.post(body);
    expect(another.headers.get("idempotency-key")).not.toBe(key);
    expect(await stores.submissions(game.id)).toBe(2);
  });

  it("that the caller made comes back in the header too", async () => {
    const game = await newGame();
    const { headers } = await game.post({ player: "ada", points: 7 }, "match-8841-ada");
    expect(headers.get("idempotency-key")).toBe("match-8841-ada");
  });

  it("is 1–128 printable ASCII characters without spaces", async () => {
    const game = await newGame();
    const body = { player: "ada", points: 7 };
    for (const key of ["", "a b", "x".repeat(129), "é"]) {
      const problem = problemOf(await game.post(body, key), "invalid");
      expect(pointersOf(problem)).toEqual(["idempotency-key"]);
    }
    expect(await stores.rows(game.id)).toBe(0);
    for (const key of ["!", "x".repeat(128), "~a/b:{}\"'\\"]) {
      expect((await game.post({ ...body, player: key.slice(0, 9) }, key)).status).toBe(201);
    }
  });

  it("stays good when the body is written in another order", async () => {
    const game = await newGame();
    await game.submit({ player: "ada", points: 7, country: "DE" }, "k");
    const retry = await call(`${game.base}/scores`, {
      rawBody: '{ "country": "DE",\n "points": 7.0, "player": "\\u0061da" }',
      headers: { "idempotency-key": "k" },
    });
    expect(retry.status).toBe(200);
  });
});
