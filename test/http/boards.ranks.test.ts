/** The places that a submission is answered with on boards that its game defined, against the board as it is read from Postgres. */
import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { DefinedTopResponse } from "../../functions/contract/board-reads.ts";
import { BatchResponse, ScoreResponse } from "../../functions/contract/scores.ts";
import { call, freshGame } from "../harness/api.ts";
import { put } from "./defined-boards.ts";

const BOARDS = {
  laps: {
    statistic: "it",
    order: "asc",
    segments: ["country", "platform"],
    answer: { segmentRanks: ["country", "platform"] },
  },
  high: { statistic: "it", schedule: { kind: "day" } },
  rating: { statistic: "it", aggregation: "last" },
  coins: { statistic: "it", aggregation: "sum" },
  debts: { statistic: "it", aggregation: "sum", order: "asc" },
  wins: { statistic: "it", aggregation: "count" },
  song: { statistic: "it", keyed: true },
  power: { statistic: "it", tie: "id" },
};

async function game(boards: Readonly<Record<string, unknown>> = BOARDS): Promise<string> {
  const id = await freshGame();
  for (const [board, definition] of Object.entries(boards)) {
    const { status, body } = await put(id, board, definition);
    expect(status, JSON.stringify(body)).toBe(201);
  }
  return id;
}

async function placesOf(id: string, key: string, segment?: string): Promise<Map<string, number>> {
  const query = segment === undefined ? "" : `&segment=${segment.replace("=", ":")}`;
  const { body } = await call(`/v1/games/${id}/boards/${key}/top?n=100${query}`, { key: null });
  return new Map(DefinedTopResponse.parse(body).entries.map(({ player, rank }) => [player, rank]));
}

/** Every place in the answer is the one that Postgres has now. */
async function expectPlaces(id: string, { player, boards = [] }: ScoreResponse): Promise<void> {
  expect(boards.length).toBeGreaterThan(0);
  for (const { key, rank, segments, boardSize } of boards) {
    const places = await placesOf(id, key ?? "");
    expect([key, rank, boardSize]).toEqual([key, places.get(player), places.size]);
    // Null in a part that a later submission of the same call left.
    for (const { segment, rank: inSegment } of segments)
      expect([segment, inSegment]).toEqual([segment, (await placesOf(id, key ?? "", segment)).get(player) ?? null]);
  }
}

/** Few values, so that many are equal. */
const play = (n: number) => ({
  player: `player-${(n * 7) % 11}`,
  values: { it: (n * 5) % 6 },
  keys: { song: `track-${n % 2}` },
  segments: { platform: n % 4 === 0 ? "web" : "ios" },
  country: n % 3 === 0 ? "DE" : "FR",
});

async function submit(id: string, body: object) {
  const { status, body: answer } = await call(`/v1/games/${id}/scores`, { body });
  return { status, answer: ScoreResponse.parse(answer) };
}

describe("a submission is answered with its places on the boards that its game defined", () => {
  it("of every fold, with ties, keys, and players who move between parts", async () => {
    const id = await game();
    for (let n = 0; n < 30; n += 1) {
      const { status, answer } = await submit(id, n % 5 === 0 ? { ...play(n), points: n } : play(n));
      expect([status, answer.ranked]).toEqual([201, true]);
      await expectPlaces(id, answer);
    }
  });

  it("in a batch as they are after all of it", async () => {
    const id = await game();
    const submissions = Array.from({ length: 100 }, (_, n) => ({ ...play(n), idempotencyKey: randomUUID() }));
    const { body } = await call(`/v1/games/${id}/scores/batch`, { body: { submissions } });
    const results = BatchResponse.parse(body).results.map((result) => ScoreResponse.parse(result));
    for (const answer of results.slice(-12)) await expectPlaces(id, answer);
    const again = await call(`/v1/games/${id}/scores/batch`, { body: { submissions } });
    for (const answer of BatchResponse.parse(again.body).results.slice(-3))
      await expectPlaces(id, ScoreResponse.parse(answer));
  });

  it("only where the definition asks for them", async () => {
    const id = await game({
      quiet: { statistic: "it", answer: { rank: false } },
      parted: { statistic: "it", segments: ["platform"], answer: { rank: false, segmentRanks: ["platform"] } },
    });
    const { answer } = await submit(id, play(1));
    expect(answer.boards).toMatchObject([
      { board: "parted", rank: null, segments: [{ segment: "platform=ios", rank: 1 }] },
      { board: "quiet", rank: null, segments: [], boardSize: 1 },
    ]);
  });
});
