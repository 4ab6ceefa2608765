import { describe, expect, it } from "vitest";
import { call, freshGame } from "../harness/api.ts";

describe("POST /scores", () => {
  it("ranks the first submission of a game first of one", async () => {
    const game = await freshGame();
    const { status, body } = await call(`/v1/games/${game}/scores`, { body: { player: "ada", points: 1200 } });
    expect(status).toBe(201);
    expect(body).toMatchObject({ player: "ada", points: 1200, improved: true, rank: 1, boardSize: 1, ranked: true });
  });
});
