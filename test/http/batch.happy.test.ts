import { describe, expect, it } from "vitest";
import { ScoreResponse } from "../../functions/contract/scores.ts";
import { accepted, newGame } from "../harness/game.ts";
import { openStores } from "../harness/stores.ts";
import { lastWeek, pastWeek } from "./times.ts";

const stores = openStores();

describe("POST /scores/batch", () => {
  it("answers in the order of the submissions, with the ranks after the whole batch", async () => {
    const game = await newGame();
    const results = await game.batch([
      { player: "a", points: 10, country: "DE" },
      { player: "b", points: 30, country: "DE" },
      { player: "c", points: 20, country: "FR" },
    ]);
    const parsed = results.map((result) => ScoreResponse.strict().parse(result));
    expect(
      parsed.map(({ player, rank, countryRank, boardSize, allTime }) => [
        player,
        rank,
        countryRank,
        boardSize,
        allTime.rank,
      ]),
    ).toEqual([
      ["a", 3, 2, 3, 3],
      ["b", 1, 1, 3, 1],
      ["c", 2, 1, 3, 2],
    ]);
    expect(parsed.every(({ ranked, replayed, improved }) => ranked && !replayed && improved)).toBe(true);
    expect((await game.top()).entries.map(({ player }) => player)).toEqual(["b", "c", "a"]);
  });

  it("gives the feed one event a submission, the last one newest", async () => {
    const game = await newGame();
    const results = accepted(await game.batch([1, 2, 3].map((points) => ({ player: `p${points}`, points }))));
    const { events } = await game.feed();
    expect(events.map(({ submissionId }) => submissionId)).toEqual(results.map((r) => r.submissionId).toReversed());
  });

  it("takes the same player several times; each builds on the one before", async () => {
    const game = await newGame();
    await game.submit({ player: "ada", points: 400 });
    const results = accepted(await game.batch([300, 500, 450, 900].map((points) => ({ player: "ada", points }))));
    expect(results.map(({ improved, best, previousBest, rank }) => [improved, best, previousBest, rank])).toEqual([
      [false, 400, 400, 1],
      [true, 500, 400, 1],
      [false, 500, 500, 1],
      [true, 900, 500, 1],
    ]);
    expect(await game.standing("ada")).toMatchObject({ points: 900, boardSize: 1 });
    expect(await stores.submissions(game.id)).toBe(5);
  });

  it("leaves a player of several countries in the last one", async () => {
    const game = await newGame();
    await game.submit({ player: "ada", points: 1, country: "DE" });
    const results = accepted(
      await game.batch([
        { player: "ada", points: 2, country: "FR" },
        { player: "ada", points: 9, country: "ES" },
        { player: "ada", points: 3 },
      ]),
    );
    expect(results.map(({ country }) => country)).toEqual(["ES", "ES", "ES"]);
    const sizes = [];
    for (const country of ["DE", "FR", "ES"]) sizes.push((await game.top("current", { country })).boardSize);
    expect(sizes).toEqual([0, 0, 1]);
  });

  it("crosses weeks", async () => {
    const game = await newGame();
    const [two, one] = [pastWeek(2), lastWeek()];
    const results = accepted(
      await game.batch([
        { player: "a", points: 10, submittedAt: one.at(1) },
        { player: "a", points: 20, submittedAt: two.at(1) },
        { player: "b", points: 30, submittedAt: one.at(1) },
        { player: "a", points: 5 },
      ]),
    );
    expect(results.map(({ week, rank, boardSize, previousBest }) => [week, rank, boardSize, previousBest])).toEqual([
      [one.week, 2, 2, null],
      [two.week, 1, 1, null],
      [one.week, 1, 2, null],
      [results[3]?.week, 1, 1, null],
    ]);
    expect(results.map(({ allTime }) => [allTime.improved, allTime.best])).toEqual([
      [true, 10],
      [true, 20],
      [true, 30],
      [false, 20],
    ]);
    expect((await game.top("all-time")).entries.map(({ player, points }) => [player, points])).toEqual([
      ["b", 30],
      ["a", 20],
    ]);
  });

  it("replayed as a whole changes nothing and says so of every item", async () => {
    const game = await newGame();
    const batch = Array.from({ length: 20 }, (_, i) => ({ player: `p${i % 7}`, points: i, idempotencyKey: `k${i}` }));
    const first = accepted(await game.batch(batch));
    const again = accepted(await game.batch(batch));
    expect(again.map(({ submissionId }) => submissionId)).toEqual(first.map(({ submissionId }) => submissionId));
    expect(again.every(({ replayed }) => replayed)).toBe(true);
    expect(again.map(({ rank }) => rank)).toEqual(first.map(({ rank }) => rank));
    expect(await stores.submissions(game.id)).toBe(20);
    expect((await game.feed({ n: 100 })).events).toHaveLength(20);
  });

  it("counts one key of one player once: the first item is it, the same again a replay", async () => {
    const game = await newGame();
    const item = { player: "ada", points: 5, idempotencyKey: "k" };
    const results = accepted(await game.batch([item, item, { ...item, player: "bob" }, item]));
    expect(results.map(({ replayed }) => replayed)).toEqual([false, true, false, true]);
    expect(new Set(results.map(({ submissionId }) => submissionId)).size).toBe(2);
    expect(await stores.submissions(game.id)).toBe(2);
    expect((await game.feed()).events).toHaveLength(2);
  });

  it("takes 1,000 submissions", async () => {
    const game = await newGame();
    const batch = Array.from({ length: 1_000 }, (_, i) => ({ player: `p${i}`, points: (i * 7919) % 1_000 }));
    const results = accepted(await game.batch(batch));
    expect(results.map(({ player }) => player)).toEqual(batch.map(({ player }) => player));
    expect(new Set(results.map(({ rank }) => rank)).size).toBe(1_000);
    expect(await game.count()).toMatchObject({ ranked: 1_000 });
    expect(await stores.submissions(game.id)).toBe(1_000);
  });

  it("with the same players and keys from four clients at once neither deadlocks nor counts twice", async () => {
    const game = await newGame();
    const batch = Array.from({ length: 60 }, (_, i) => ({ player: `p${i % 15}`, points: i, idempotencyKey: `k${i}` }));
    const all = await Promise.all(
      [batch, batch.toReversed(), batch, batch.toReversed()].map((items) => game.batch(items)),
    );
    const fresh = all.flatMap(accepted).filter(({ replayed }) => !replayed);
    expect(fresh).toHaveLength(60);
    expect(await stores.submissions(game.id)).toBe(60);
    expect((await game.top("current", { n: 100 })).entries.map(({ points }) => points)).toEqual(
      Array.from({ length: 15 }, (_, i) => 59 - i),
    );
  });
});
