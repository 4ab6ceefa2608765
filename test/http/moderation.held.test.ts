import { describe, expect, it } from "vitest";
import { HeldResponse } from "../../functions/contract/moderation.ts";
import { ScoreResponse } from "../../functions/contract/scores.ts";
import { call } from "../harness/api.ts";
import { newGame, problemOf, type GameClient } from "../harness/game.ts";
import { deletePlayer } from "./moderation-steps.ts";

async function heldOf(game: GameClient) {
  return HeldResponse.parse((await call(`${game.base}/held`)).body).held;
}

const decide = (game: GameClient, id: string, decision: "release" | "reject") =>
  call(`${game.base}/held/${id}/${decision}`, { method: "POST" });

describe("a submission above the largest improvement", () => {
  it("is durable and held: 202, on no board, in no feed", async () => {
    const game = await newGame({ maxImprovement: 1_000 });
    await game.submit({ player: "ada", points: 900 });
    const answer = await game.post({ player: "ada", points: 1_901 }, "k");
    expect(answer).toMatchObject({ status: 202, body: { ranked: false, held: true, rank: null, best: 900 } });
    expect((await game.standing("ada")).points).toBe(900);
    expect((await game.feed()).events).toHaveLength(1);
    expect(await heldOf(game)).toMatchObject([{ player: "ada", points: 1_901, best: 900 }]);
    const retry = await game.post({ player: "ada", points: 1_901 }, "k");
    expect(retry).toMatchObject({ status: 202, body: { held: true, replayed: true } });
    expect(await heldOf(game)).toHaveLength(1);
  });

  it("counts from 0 for a new player", async () => {
    const game = await newGame({ maxImprovement: 1_000 });
    expect((await game.post({ player: "new", points: 1_001 })).body).toMatchObject({ held: true, best: null });
    expect((await game.post({ player: "new", points: 1_000 })).status).toBe(201);
  });

  it("is judged item by item in a batch, each after the ones before it", async () => {
    const game = await newGame({ maxImprovement: 1_000 });
    const points = [900, 1_800, 4_000, 2_700];
    const results = await game.batch(points.map((p) => ({ player: "ada", points: p })));
    expect(results.map((result) => ScoreResponse.parse(result).held ?? false)).toEqual([false, false, true, false]);
    expect((await game.standing("ada")).points).toBe(2_700);
  });

  it("counts as of its own time once it is released, with its badges", async () => {
    const game = await newGame({ maxImprovement: 1_000 });
    const { submissionId, submittedAt } = await game.submit({ player: "ada", points: 5_000, country: "DE" });
    expect((await decide(game, submissionId, "release")).status).toBe(204);
    const [first] = (await game.top()).entries;
    expect(first).toMatchObject({ player: "ada", points: 5_000, achievedAt: `${submittedAt.slice(0, 19)}.000Z` });
    expect((await game.top("current", { country: "DE" })).entries).toHaveLength(1);
    expect((await game.top("all-time")).entries).toHaveLength(1);
    expect((await game.badges("ada")).map(({ badge }) => badge)).toEqual(["bronze", "silver"]);
    expect(await heldOf(game)).toEqual([]);
    expect((await decide(game, submissionId, "release")).status).toBe(204);
    problemOf(await decide(game, submissionId, "reject"), "not-found");
  });

  it("never counts once it is rejected", async () => {
    const game = await newGame({ maxImprovement: 1_000 });
    const { submissionId } = await game.submit({ player: "ada", points: 5_000 }, "k");
    expect((await decide(game, submissionId, "reject")).status).toBe(204);
    expect((await game.top()).entries).toEqual([]);
    problemOf(await game.post({ player: "ada", points: 5_000, country: "XX" }, "k"), "submission-removed");
  });
});

describe("a bound on improvement, in a batch", () => {
  const statuses = (results: readonly object[]) =>
    results.map((result) => ("status" in result ? result.status : "held" in result ? "held" : "ranked"));

  it("is not climbed by items that do not count: uses of a used key, copies, what was removed", async () => {
    const game = await newGame({ maxImprovement: 1_000 });
    await game.submit({ player: "ann", points: 0 }, "used");
    const conflicts = Array.from({ length: 5 }, (_, i) => ({
      player: "ann",
      points: 1_000 * (i + 1),
      idempotencyKey: "used",
    }));
    const climbed = await game.batch([...conflicts, { player: "ann", points: 6_000, idempotencyKey: "new" }]);
    expect(statuses(climbed)).toEqual([422, 422, 422, 422, 422, "held"]);

    const copies = await game.batch([
      { player: "bob", points: 900, idempotencyKey: "a" },
      { player: "bob", points: 1_800, idempotencyKey: "a" },
      { player: "bob", points: 2_700, idempotencyKey: "b" },
    ]);
    expect(statuses(copies)).toEqual(["ranked", 422, "held"]);
  });

  it("lets items of a call build on each other, as if they had come one by one", async () => {
    const game = await newGame({ maxImprovement: 1_000 });
    const steps = await game.batch([900, 1_800, 2_700].map((points) => ({ player: "cid", points })));
    expect(statuses(steps)).toEqual(["ranked", "ranked", "ranked"]);
  });
});

describe("a limit per player", () => {
  it("lets exactly so many through, also at once, and says when to come back", async () => {
    const game = await newGame({ limits: { perPlayer: { submissions: 5, seconds: 60 } } });
    const answers = await Promise.all(
      Array.from({ length: 15 }, (_, i) => game.post({ player: "ada", points: i }, `k${i}`)),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(5);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(10);
    for (const answer of refused) {
      const seconds = Number(answer.headers.get("retry-after"));
      expect(seconds).toBeGreaterThan(0);
      expect(seconds).toBeLessThanOrEqual(60);
      expect(problemOf(answer, "rate-limited").retryAfterSeconds).toBe(seconds);
    }
    expect((await game.post({ player: "bob", points: 1 })).status).toBe(201);
  });

  it("does not count retries, nor what is refused", async () => {
    const game = await newGame({ maxPoints: 100, limits: { perPlayer: { submissions: 2, seconds: 60 } } });
    const statuses: number[] = [];
    for (const [points, key] of [
      [1, "a"],
      [1, "a"],
      [101, "b"],
      [1, "a"],
      [2, "c"],
      [3, "d"],
      [1, "a"],
    ] as const) {
      statuses.push((await game.post({ player: "ada", points, country: "XX" }, key)).status);
    }
    expect(statuses).toEqual([201, 200, 422, 200, 201, 429, 200]);
  });

  it("starts anew when the window is over", async () => {
    const game = await newGame({ limits: { perPlayer: { submissions: 1, seconds: 1 } } });
    await game.submit({ player: "ada", points: 1 });
    const refused = await game.post({ player: "ada", points: 2 });
    expect([201, 429]).toContain(refused.status);
    await expect.poll(async () => (await game.post({ player: "ada", points: 3 })).status, { timeout: 5_000 }).toBe(201);
  });

  it("holds in a batch, item by item", async () => {
    const game = await newGame({ limits: { perPlayer: { submissions: 2, seconds: 60 } } });
    const results = await game.batch(["ada", "ada", "ada", "bob"].map((player) => ({ player, points: 1 })));
    expect(results.map((result) => ("status" in result ? result.status : 201))).toEqual([201, 201, 429, 201]);
  });

  it("refuses a copy of what it refuses for the same reason", async () => {
    const game = await newGame({ limits: { perPlayer: { submissions: 1, seconds: 60 } } });
    const results = await game.batch(["a", "b", "b"].map((key) => ({ player: "ada", points: 1, idempotencyKey: key })));
    expect(results.map((result) => ("status" in result ? result.status : 201))).toEqual([201, 429, 429]);
  });

  it("is not what a deleted player hears of, however often they come", async () => {
    const game = await newGame({ limits: { perPlayer: { submissions: 2, seconds: 60 } } });
    await game.submit({ player: "ada", points: 1 });
    await deletePlayer(game, "ada");
    for (let i = 0; i < 4; i += 1) problemOf(await game.post({ player: "ada", points: 2 }), "player-deleted");
  });
});
