/** Submissions that meet share a statement and a call to Redis; no caller notices it by the answer. */
import { describe, expect, it } from "vitest";
import { ScoreResponse } from "../../functions/contract/scores.ts";
import { call, type Answer } from "../harness/api.ts";
import { newGame, problemOf, type GameClient } from "../harness/game.ts";
import { openStores } from "../harness/stores.ts";

const { postgres } = openStores();

const CLIENTS = 64;
const players = Array.from({ length: CLIENTS }, (_, i) => `p${String(i).padStart(2, "0")}`);

/** Statements that wrote the game's submissions. */
async function statements(game: string): Promise<number> {
  const { rows } = await postgres.query("select distinct xmin::text from submissions where game = $1", [game]);
  return rows.length;
}

const submitAll = (game: GameClient, key = (player: string) => `k-${player}`): Promise<Answer[]> =>
  Promise.all(players.map((player, i) => game.post({ player, points: i * 10, country: "XX" }, key(player))));

describe("submissions that arrive while others are on their way", () => {
  it("share statements, and each gets the answer to its own", async () => {
    const game = await newGame();
    const answers = await submitAll(game);
    const bodies = answers.map(({ body }) => ScoreResponse.strict().parse(body));
    expect(answers.map(({ status }) => status)).toEqual(players.map(() => 201));
    expect(bodies.map(({ player, points }) => [player, points])).toEqual(players.map((player, i) => [player, i * 10]));
    expect(new Set(bodies.map(({ submissionId }) => submissionId)).size).toBe(CLIENTS);
    for (const { rank, boardSize, points } of bodies) {
      // Players with more points are ahead, and only players of the board can be.
      expect(rank).toBeGreaterThanOrEqual(1);
      expect(rank).toBeLessThanOrEqual(Math.min(boardSize ?? 0, CLIENTS - (points ?? 0) / 10));
    }
    expect(bodies.find(({ points }) => points === (CLIENTS - 1) * 10)?.rank).toBe(1);
    expect(await statements(game.id)).toBeLessThan(CLIENTS / 2);
  });

  it("are refused one by one", async () => {
    const game = await newGame({ maxPoints: 1_000 });
    await game.submit({ player: "p01", points: 1 });
    await call(`${game.base}/players/p01/ban`, { method: "PUT" });
    await game.submit({ player: "p02", points: 7 }, "k-p02");
    const [answers, tooMany] = await Promise.all([
      submitAll(game),
      game.post({ player: "rich", points: 1_001, country: "XX" }),
    ]);
    problemOf(tooMany, "invalid");
    for (const [i, answer] of answers.entries()) {
      if (i === 1) problemOf(answer, "player-banned");
      else if (i === 2) problemOf(answer, "idempotency-conflict");
      else expect(answer.status).toBe(201);
    }
  });

  it("of one player each say what they did", async () => {
    const game = await newGame();
    const points = [5, 30, 10, 20, 40, 15];
    const answers = await Promise.all(points.map((own) => game.submit({ player: "ada", points: own })));
    for (const { points: own, best, improved, previousBest } of answers) {
      expect(best).toBe(improved ? own : previousBest);
      expect(best).toBeGreaterThanOrEqual(own ?? 0);
    }
    expect(answers.find(({ points: own }) => own === 40)).toMatchObject({ improved: true, best: 40, rank: 1 });
  });

  it("to a game that nobody made are all told so", async () => {
    const answers = await Promise.all(
      players.map((player) => call("/v1/games/no-such-game/scores", { body: { player, points: 1 } })),
    );
    for (const answer of answers) problemOf(answer, "unknown-game");
  });
});
