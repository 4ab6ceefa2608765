import { describe, expect, it } from "vitest";
import { Problem, PROBLEM_TYPE_PREFIX } from "../../functions/contract/problem.ts";
import { ScoreResponse } from "../../functions/contract/scores.ts";
import { call, freshGameId } from "../harness/api.ts";
import { gameOf, newGame, pointersOf, problemOf } from "../harness/game.ts";
import { openStores } from "../harness/stores.ts";

const stores = openStores();

describe("POST /scores/batch", () => {
  it("reports a bad submission at its place, with pointers, and counts the good ones", async () => {
    const game = await newGame({ maxPoints: 1_000 });
    const results = await game.batch([
      { player: "a", points: 1 },
      { player: "b", points: -1 },
      { player: "", points: 1.5, extra: true },
      null,
      { player: "c", points: 1_001 },
      { player: "d", points: 2, submittedAt: "2020-01-01T00:00:00Z" },
      { player: "e", points: 3, idempotencyKey: "a b" },
      { player: "f", points: 4 },
    ]);
    expect([results[0], results[7]].map((result) => ScoreResponse.parse(result).player)).toEqual(["a", "f"]);
    const problems = results.slice(1, 7).map((result) => Problem.strict().parse(result));
    expect(problems.map(pointersOf)).toEqual([
      ["/points"],
      ["/player", "/points", "/extra"],
      [""],
      ["/points"],
      ["/submittedAt"],
      ["/idempotencyKey"],
    ]);
    for (const problem of problems) {
      expect(problem).toMatchObject({
        status: 422,
        type: `${PROBLEM_TYPE_PREFIX}invalid`,
        instance: `urn:uuid:${problem.requestId}`,
      });
    }
    expect(await stores.submissions(game.id)).toBe(2);
    expect((await game.top()).entries.map(({ player }) => player)).toEqual(["f", "a"]);
  });

  it("of bad submissions alone is answered, and changes nothing", async () => {
    const game = await newGame();
    const untouched = await stores.keys(game.id);
    const results = await game.batch([{ player: "a" }, {}, "x", [[]]]);
    expect(results.map((result) => Problem.parse(result).status)).toEqual([422, 422, 422, 422]);
    expect(await stores.rows(game.id)).toBe(0);
    expect(await stores.keys(game.id)).toEqual(untouched);
  });

  it("refuses a second use of a key at its place only, within a batch and across batches", async () => {
    const game = await newGame();
    const item = { player: "a", points: 5, idempotencyKey: "k" };
    const within = await game.batch([item, { ...item, points: 6 }, { player: "b", points: 7 }]);
    expect(Problem.parse(within[1]).type).toBe(`${PROBLEM_TYPE_PREFIX}idempotency-conflict`);
    expect(ScoreResponse.parse(within[2]).improved).toBe(true);
    const across = await game.batch([
      { player: "c", points: 8 },
      { ...item, points: 9 },
    ]);
    expect(ScoreResponse.parse(across[0]).rank).toBe(1);
    expect(Problem.parse(across[1]).status).toBe(422);
    expect(await stores.submissions(game.id)).toBe(3);
    expect((await game.standing("a")).points).toBe(5);
  });

  it("lets a valid submission have a key that an invalid one before it named", async () => {
    const game = await newGame({ maxPoints: 10 });
    const item = { player: "a", idempotencyKey: "k" };
    const results = await game.batch([
      { ...item, points: 11 },
      { ...item, points: 9 },
    ]);
    expect(Problem.parse(results[0]).status).toBe(422);
    expect(ScoreResponse.parse(results[1])).toMatchObject({ best: 9, replayed: false });
  });

  it("takes neither none nor 1,001 submissions, and no other form", async () => {
    const game = await newGame();
    const item = { player: "a", points: 1 };
    const bodies = [
      { submissions: [] },
      { submissions: Array.from({ length: 1_001 }, () => item) },
      { submissions: {} },
      {},
      { submissions: [item], more: 1 },
    ];
    const pointers = ["/submissions", "/submissions", "/submissions", "/submissions", "/more"];
    for (const [i, body] of bodies.entries()) {
      const problem = problemOf(await call(`${game.base}/scores/batch`, { body }), "invalid");
      expect(pointersOf(problem)).toEqual([pointers[i]]);
    }
    problemOf(await call(`${game.base}/scores/batch`, { body: [item] }), "invalid");
    expect(await stores.rows(game.id)).toBe(0);
  });

  it("of a game that does not exist is a 404, also without a valid submission", async () => {
    const game = gameOf(freshGameId());
    for (const submissions of [[{ player: "a", points: 1 }], [{ player: "a" }]]) {
      problemOf(await call(`${game.base}/scores/batch`, { body: { submissions } }), "unknown-game");
    }
  });

  it("refuses bodies that are unreadable, too large or of another type", async () => {
    const path = `${(await newGame()).base}/scores/batch`;
    problemOf(await call(path, { rawBody: '{"submissions":[' }), "unreadable");
    problemOf(await call(path, { body: { submissions: [{ player: "x".repeat(2_000_000), points: 1 }] } }), "too-large");
    problemOf(await call(path, { rawBody: "{}", headers: { "content-type": "text/csv" } }), "unsupported-media-type");
    const deep = "[".repeat(100_000) + "]".repeat(100_000);
    expect((await call(path, { rawBody: `{"submissions":[${deep}]}` })).status).toBe(200);
  });

  it("takes 1,000 submissions with the longest ids and keys", async () => {
    const game = await newGame();
    const batch = Array.from({ length: 1_000 }, (_, i) => ({
      player: "😀".repeat(60) + String(i).padStart(4, "0"),
      points: 8_589_934_591 - i,
      country: "DE",
      submittedAt: new Date().toISOString(),
      idempotencyKey: "k".repeat(128),
    }));
    expect((await game.batch(batch)).map((result) => ScoreResponse.parse(result).rank)).toEqual(
      batch.map((_, i) => i + 1),
    );
  });
});
