import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { PlayerExport } from "../../functions/contract/moderation.ts";
import { ScoreResponse } from "../../functions/contract/scores.ts";
import { call } from "../harness/api.ts";
import { until } from "../harness/until.ts";
import { gameWith, put, storedBoards } from "./defined-boards.ts";

const { postgres } = storedBoards();
const NEVER = { schedule: { kind: "never" } };
const Entry = z.object({
  board: z.string(),
  player: z.string(),
  points: z.coerce.number(),
  segments: z.unknown(),
  left_segments: z.unknown(),
});

async function entriesOf(game: string) {
  const text = "select * from bests where game = $1 and board like '%.%' order by board, player";
  return z.array(Entry).parse((await postgres.query(text, [game])).rows);
}

async function submit(game: string, body: object) {
  const { body: answer } = await call(`/v1/games/${game}/scores`, {
    method: "POST",
    body,
    headers: { "idempotency-key": randomUUID() },
  });
  return ScoreResponse.strict().parse(answer);
}

/** A game with a total, a best and a last value of the same statistic. */
async function threeBoards(config: object = {}): Promise<string> {
  const game = await gameWith("best", { statistic: "it", segments: ["country", "platform"], ...NEVER });
  await put(game, "last", { statistic: "it", aggregation: "last", ...NEVER });
  await put(game, "total", {
    statistic: "it",
    aggregation: "sum",
    value: { min: -100, max: 100, decimals: 0 },
    ...NEVER,
  });
  await call(`/v1/games/${game}`, { method: "PUT", body: config });
  return game;
}
const strengths = async (game: string) =>
  (await entriesOf(game)).map(({ board, player, points }) => `${board} ${player} ${points}`);
const moderate = async (method: string, path: string) =>
  expect((await call(path, { method })).status).toBeLessThan(300);

/** Since the database was made. */
async function deadlocks(): Promise<unknown> {
  const { rows } = await postgres.query("select deadlocks from pg_stat_database where datname = current_database()");
  return z.object({ deadlocks: z.unknown() }).parse(rows[0]).deadlocks;
}

describe("entries on boards that the game defined", () => {
  it("go with a ban and come back with its end as the fold of what the player submitted", async () => {
    const game = await threeBoards();
    for (const it of [5, 9, 3])
      await submit(game, { player: "ada", values: { it }, country: "DE", segments: { platform: "ios" } });
    const before = await strengths(game);
    expect(before).toEqual(["best.all ada 9", "last.all ada 3", "total.all ada 117"]);
    await moderate("PUT", `/v1/games/${game}/players/ada/ban`);
    expect(await strengths(game)).toEqual([]);
    await moderate("DELETE", `/v1/games/${game}/players/ada/ban`);
    expect(await strengths(game)).toEqual(before);
  });

  it("are folded anew when a submission is taken back", async () => {
    const game = await threeBoards();
    const ids: string[] = [];
    for (const it of [5, 9, 2]) ids.push((await submit(game, { player: "ada", values: { it } })).submissionId);
    expect(await strengths(game)).toEqual(["best.all ada 9", "last.all ada 2", "total.all ada 116"]);
    await moderate("DELETE", `/v1/games/${game}/submissions/${ids[1] ?? ""}`);
    expect(await strengths(game)).toEqual(["best.all ada 5", "last.all ada 2", "total.all ada 107"]);
    await moderate("DELETE", `/v1/games/${game}/submissions/${ids[2] ?? ""}`);
    expect(await strengths(game)).toEqual(["best.all ada 5", "last.all ada 5", "total.all ada 105"]);
  });

  it("wait with a submission that is held, and count it once it is released", async () => {
    const game = await threeBoards({ maxImprovement: 100 });
    const held = await submit(game, { player: "ada", points: 500, values: { it: 7 } });
    expect(held).toMatchObject({ held: true });
    expect(await strengths(game)).toEqual([]);
    await moderate("POST", `/v1/games/${game}/held/${held.submissionId}/release`);
    expect(await strengths(game)).toEqual(["best.all ada 7", "last.all ada 7", "total.all ada 107"]);
  });

  it("are gone with the player, and in the player's file while they are there", async () => {
    const game = await threeBoards();
    await submit(game, { player: "ada", values: { it: 7 }, metadata: undefined });
    const { body } = await call(`/v1/games/${game}/players/ada/export`);
    const file = PlayerExport.strict().parse(body);
    expect(file.entries.map(({ board }) => board)).toEqual(["best.all", "last.all", "total.all"]);
    expect(file.submissions).toMatchObject([{ points: null, values: { it: 7 } }]);
    await moderate("DELETE", `/v1/games/${game}/players/ada`);
    expect(await entriesOf(game)).toEqual([]);
  });

  it("are in one part of each segment, the one that was named last, and in at most five different ones", async () => {
    const game = await threeBoards();
    const moves = [
      { country: "DE", segments: { platform: "ios" } },
      { country: "FR" },
      { segments: { platform: "web" } },
      {},
    ];
    for (const move of moves) await submit(game, { player: "ada", values: { it: 1 }, ...move });
    const [best] = await entriesOf(game);
    expect(best).toMatchObject({
      segments: { country: "FR", platform: "web" },
      left_segments: { country: ["DE"], platform: ["ios"] },
    });
    for (const platform of ["a", "b", "c", "d", "ios"])
      await submit(game, { player: "ada", values: { it: 1 }, segments: { platform } });
    expect((await entriesOf(game))[0]?.segments).toMatchObject({ platform: "ios" });
  });

  it("count a batch of a thousand on eight boards twice at once, and nothing waits in a circle", async () => {
    const game = await gameWith("b0", { statistic: "it", aggregation: "sum", ...NEVER });
    for (let n = 1; n < 8; n += 1)
      await put(game, `b${n}`, { statistic: "it", aggregation: n % 2 === 0 ? "sum" : "best", ...NEVER });
    const submissions = Array.from({ length: 1_000 }, (_, i) => ({
      player: `p${i % 500}`,
      values: { it: 1 },
      idempotencyKey: `k${i}`,
    }));
    // On a busy machine it may take longer than a request waits; it is repeated with its keys then, as a client would.
    const batch = (order: typeof submissions) =>
      until(
        "the batch",
        async () => {
          const { status } = await call(`/v1/games/${game}/scores/batch`, {
            method: "POST",
            body: { submissions: order },
          });
          return status === 200;
        },
        30_000,
      );
    const before = await deadlocks();
    await Promise.all([batch(submissions), batch(submissions.toReversed())]);
    expect(await deadlocks()).toBe(before);
    const { rows } = await postgres.query(
      "select board, count(*)::int as players, sum(points)::int as points from bests where game = $1 group by board order by board",
      [game],
    );
    expect(rows).toEqual(
      Array.from({ length: 8 }, (_, n) => ({ board: `b${n}.all`, players: 500, points: n % 2 === 0 ? 1_000 : 500 })),
    );
  });
});
