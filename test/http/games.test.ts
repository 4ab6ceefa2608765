import { describe, expect, it } from "vitest";
import { call, freshGameId } from "../harness/api.ts";
import { newGame, pointersOf, problemOf } from "../harness/game.ts";

const DEFAULTS = {
  badges: [
    { badge: "bronze", threshold: 1_000 },
    { badge: "silver", threshold: 5_000 },
    { badge: "gold", threshold: 10_000 },
  ],
  feedLength: 1_000,
  maxPoints: 8_589_934_591,
  limits: { perPlayer: null },
  signing: "nobody",
  shards: 1,
};
const put = (game: string, body: unknown) => call(`/v1/games/${game}`, { method: "PUT", body });
const get = (game: string) => call(`/v1/games/${game}`, { key: null });

describe("PUT /v1/games/{game}", () => {
  it("creates a game with defaults: 201, and GET returns them", async () => {
    const game = freshGameId();
    expect(await put(game, {})).toMatchObject({ status: 201, body: { game, ...DEFAULTS } });
    expect(await get(game)).toMatchObject({ status: 200, body: { game, ...DEFAULTS } });
  });

  it("replaces the configuration: 200, and what is left out gets its default", async () => {
    const game = freshGameId();
    const config = { badges: [{ badge: "iron", threshold: 0 }], feedLength: 10, maxPoints: 5 };
    await put(game, config);
    expect((await get(game)).body).toEqual({ game, ...DEFAULTS, ...config });
    expect(await put(game, { maxPoints: 6 })).toMatchObject({ status: 200, body: { game, ...DEFAULTS, maxPoints: 6 } });
    expect((await get(game)).body).toEqual({ game, ...DEFAULTS, maxPoints: 6 });
  });

  it("keeps the scores", async () => {
    const game = await newGame();
    await game.submit({ player: "ada", points: 100 });
    await put(game.id, { maxPoints: 50 });
    expect((await game.standing("ada")).points).toBe(100);
    expect(await game.submit({ player: "ada", points: 50 })).toMatchObject({ best: 100, improved: false });
  });

  it("may have no badges", async () => {
    const game = freshGameId();
    expect(await put(game, { badges: [] })).toMatchObject({ status: 201, body: { badges: [] } });
  });

  it("takes every form of game id", async () => {
    for (const game of ["-", "7", `${freshGameId()}-x`, `${freshGameId()}0123456789abc`]) {
      expect((await put(game, {})).status).toBeLessThan(202);
      expect((await get(game)).body).toMatchObject({ game });
    }
  });

  it("refuses what cannot be, with pointers, and creates nothing", async () => {
    const game = freshGameId();
    const badge = (name: unknown, threshold: unknown) => ({ badges: [{ badge: name, threshold }] });
    const wrong: [unknown, string][] = [
      [{ maxPoints: -1 }, "/maxPoints"],
      [{ maxPoints: 8_589_934_592 }, "/maxPoints"],
      [{ maxPoints: "5" }, "/maxPoints"],
      [{ feedLength: 9 }, "/feedLength"],
      [{ feedLength: 100_001 }, "/feedLength"],
      [{ feedLength: 10.5 }, "/feedLength"],
      [{ badges: {} }, "/badges"],
      [badge("Gold", 1), "/badges/0/badge"],
      [badge("", 1), "/badges/0/badge"],
      [badge("gold", -1), "/badges/0/threshold"],
      [badge("gold", 1.5), "/badges/0/threshold"],
      [
        {
          badges: [
            { badge: "a", threshold: 1 },
            { badge: "a", threshold: 2 },
          ],
        },
        "/badges",
      ],
      [{ badges: Array.from({ length: 21 }, (_, i) => ({ badge: `b${i}`, threshold: i })) }, "/badges"],
      [{ badges: [{ badge: "a", threshold: 1, more: 1 }] }, "/badges/0/more"],
      [{ more: 1 }, "/more"],
      [[], ""],
      [null, ""],
    ];
    for (const [body, pointer] of wrong) {
      expect(pointersOf(problemOf(await put(game, body), "invalid")), JSON.stringify(body)).toEqual([pointer]);
    }
    problemOf(await call(`/v1/games/${game}`, { method: "PUT", rawBody: "{" }), "unreadable");
    problemOf(await get(game), "unknown-game");
  });

  it("refuses ids that are no game's", async () => {
    for (const game of ["Arena", "a_b", "a.b", "x".repeat(33), "%20", "%00"]) {
      expect(pointersOf(problemOf(await put(game, {}), "invalid"))).toEqual(["game"]);
      problemOf(await get(game), "unknown-game");
    }
  });
});

describe("badges of a player", () => {
  it("are none before any was awarded, also for a player nobody knows", async () => {
    const game = await newGame();
    expect(await game.badges("nobody")).toEqual([]);
  });

  it("of an unknown game are a 404", async () => {
    problemOf(await call(`/v1/games/${freshGameId()}/players/ada/badges`), "unknown-game");
  });
});
