import { describe, expect, it } from "vitest";
import { call } from "../harness/api.ts";
import { stack } from "../harness/stack.ts";
import { newGame, pointersOf, problemOf, type GameClient } from "../harness/game.ts";
import { openStores } from "../harness/stores.ts";
import { databaseKey, playerToken } from "./security-callers.ts";
import { lastWeek } from "./times.ts";

const stores = openStores();

const playersIn = async (game: GameClient, country: string, board = "current") =>
  (await game.top(board, { country })).entries.map(({ player }) => player);

describe("a player's country", () => {
  it("comes from the body and ranks the player among its players", async () => {
    const game = await newGame();
    await game.submit({ player: "a", points: 30, country: "DE" });
    await game.submit({ player: "b", points: 20, country: "FR" });
    expect(await game.submit({ player: "c", points: 10, country: "FR" })).toMatchObject({
      country: "FR",
      rank: 3,
      boardSize: 3,
      countryRank: 2,
    });
    expect(await game.top("current", { country: "FR" })).toMatchObject({
      country: "FR",
      boardSize: 2,
      entries: [
        { player: "b", rank: 1 },
        { player: "c", rank: 2 },
      ],
    });
    expect(await game.standing("c", "current", "FR")).toMatchObject({ rank: 2, country: "FR", boardSize: 2 });
    expect(await game.around("c", { country: "FR", k: 1 })).toMatchObject({ entry: { rank: 2 }, boardSize: 2 });
  });

  it("may be written in small letters", async () => {
    const game = await newGame();
    expect(await game.submit({ player: "a", points: 1, country: "fr" })).toMatchObject({ country: "FR" });
    expect(await game.top("current", { country: "fr" })).toMatchObject({ country: "FR", boardSize: 1 });
  });

  it("is none for XX, T1, ZZ and other codes that ISO 3166-1 does not have", async () => {
    const game = await newGame();
    for (const country of ["XX", "T1", "ZZ", "xx", "EU", "A1"]) {
      const answer = await game.submit({ player: country, points: 1, country });
      expect(answer).toMatchObject({ country: null, countryRank: null, rank: expect.any(Number) });
    }
    expect(await stores.bests(game.id)).toSatisfy((rows: { country: unknown }[]) =>
      rows.every((row) => row.country === null),
    );
  });

  it("must be a code of two letters", async () => {
    const game = await newGame();
    for (const country of ["DEU", "D", "", 49, ["DE"], "D ", "ÄÖ"]) {
      const problem = problemOf(await game.post({ player: "a", points: 1, country }), "invalid");
      expect(pointersOf(problem)).toEqual(["/country"]);
    }
    expect(await stores.rows(game.id)).toBe(0);
  });

  it("is none for null, in a single submission and in a batch", async () => {
    const game = await newGame();
    const nobodys = { country: null, countryRank: null };
    expect((await game.post({ player: "a", points: 1, country: null })).body).toMatchObject(nobodys);
    expect(await game.batch([{ player: "b", points: 1, country: null }])).toMatchObject([nobodys]);
    const key = await playerToken(game.id, "c");
    const answer = await call(`${game.base}/scores`, { body: { player: "c", points: 1, country: null }, key });
    expect(answer.body).toMatchObject(nobodys);
  });

  it("is the one of the edge for a player's own submission, and never that of the server that sent it", async () => {
    const game = await newGame();
    // What workerd takes for `request.cf`, which Cloudflare's edge fills in.
    const headers = { "mf-cf-blob": JSON.stringify({ country: "NL" }) };
    const submit = (player: string, key: string) =>
      call(`${game.base}/scores`, { body: { player, points: 2 }, key, headers });
    const own = await submit("own", await playerToken(game.id, "own"));
    expect(own.body).toMatchObject({ country: "NL", countryRank: 1 });
    const keys = [stack().serverKey, await databaseKey(stores.postgres, game.id, ["submit"])];
    for (const [i, key] of keys.entries()) {
      expect((await submit(`sent-${i}`, key)).body).toMatchObject({ country: null, countryRank: null });
    }
  });

  it("moves the player's entry when it changes, best and all", async () => {
    const game = await newGame();
    await game.submit({ player: "a", points: 50, country: "DE" });
    await game.submit({ player: "b", points: 40, country: "FR" });
    expect(await game.submit({ player: "a", points: 10, country: "FR" })).toMatchObject({
      improved: false,
      country: "FR",
      countryRank: 1,
    });
    expect(await playersIn(game, "DE")).toEqual([]);
    expect(await playersIn(game, "FR")).toEqual(["a", "b"]);
    await game.submit({ player: "a", points: 60, country: "DE" });
    expect([await playersIn(game, "DE"), await playersIn(game, "FR")]).toEqual([["a"], ["b"]]);
  });

  it("stays when a later submission has none", async () => {
    const game = await newGame();
    await game.submit({ player: "a", points: 50, country: "DE" });
    expect(await game.submit({ player: "a", points: 60 })).toMatchObject({ country: "DE", countryRank: 1 });
    expect((await game.top("current", { country: "DE" })).entries).toMatchObject([{ player: "a", points: 60 }]);
  });

  it("is one of each week", async () => {
    const game = await newGame();
    const { week, at } = lastWeek();
    await game.submit({ player: "a", points: 1, country: "DE", submittedAt: at(1) });
    await game.submit({ player: "a", points: 1, country: "FR" });
    expect([await playersIn(game, "DE", week), await playersIn(game, "FR", week)]).toEqual([["a"], []]);
    expect([await playersIn(game, "DE"), await playersIn(game, "FR")]).toEqual([[], ["a"]]);
  });

  it("is at most one, also when concurrent submissions disagree", async () => {
    const game = await newGame();
    const countries = ["DE", "FR", "ES", "IT", "PT"];
    await Promise.all(countries.map((country, i) => game.submit({ player: "a", points: i, country })));
    const [row] = (await stores.bests(game.id)).filter(({ board }) => board !== "all-time");
    const settled = await game.submit({ player: "a", points: 0 });
    expect(settled.country).toBe(row?.country);
    const found = [];
    for (const country of countries) if ((await playersIn(game, country)).length > 0) found.push(country);
    expect(found).toEqual([settled.country]);
  });
});

describe("a player who names another country with each submission", () => {
  const COUNTRIES = ["DE", "FR", "ES", "IT", "PT", "JP", "US", "BR"];
  const FIFTH = "PT";
  const leftOf = async (game: GameClient) => {
    const { rows } = await stores.postgres.query<{ left: string[] }>(
      "select left_countries as left from bests where game = $1 and player = 'a' and board <> 'all-time'",
      [game.id],
    );
    return rows[0]?.left.toSorted();
  };
  const boardsWithPlayer = async (game: GameClient) => {
    const found = [];
    for (const country of COUNTRIES) if ((await playersIn(game, country)).length > 0) found.push(country);
    return found;
  };

  it("counts for the first five of a week, and is on one board at any time", async () => {
    const game = await newGame();
    for (const [i, country] of COUNTRIES.entries()) {
      const answer = await game.submit({ player: "a", points: i, country });
      expect(answer).toMatchObject({ country: COUNTRIES[Math.min(i, 4)], countryRank: 1, best: i });
    }
    expect(await boardsWithPlayer(game)).toEqual([FIFTH]);
    expect(await leftOf(game)).toEqual(["DE", "ES", "FR", "IT"]);
    expect((await game.top("current", { country: FIFTH })).entries[0]).toMatchObject({ points: COUNTRIES.length - 1 });
  });

  it("may go back to one of the five", async () => {
    const game = await newGame();
    for (const country of [...COUNTRIES, "ES"]) await game.submit({ player: "a", points: 1, country });
    expect(await boardsWithPlayer(game)).toEqual(["ES"]);
    expect(await leftOf(game)).toEqual(["DE", "FR", "IT", "PT"]);
  });

  it("is there again after a ban was lifted, and bounded as before", async () => {
    const game = await newGame();
    for (const [i, country] of COUNTRIES.entries()) await game.submit({ player: "a", points: i, country });
    await call(`${game.base}/players/a/ban`, { method: "PUT" });
    expect(await boardsWithPlayer(game)).toEqual([]);
    await call(`${game.base}/players/a/ban`, { method: "DELETE" });
    expect(await boardsWithPlayer(game)).toEqual([FIFTH]);
    expect(await game.submit({ player: "a", points: 99, country: "BR" })).toMatchObject({ country: FIFTH });
    expect(await boardsWithPlayer(game)).toEqual([FIFTH]);
  });

  it("begins anew in another week", async () => {
    const game = await newGame();
    for (const country of COUNTRIES) await game.submit({ player: "a", points: 1, country });
    const answer = await game.submit({ player: "a", points: 1, country: "BR", submittedAt: lastWeek().at(0) });
    expect(answer).toMatchObject({ country: "BR", countryRank: 1 });
  });
});

describe("country boards", () => {
  it("of a code without a country, or of the all-time board, are refused", async () => {
    const game = await newGame();
    for (const path of ["current/top?country=XX", "current/top?country=DEU", "all-time/top?country=DE"]) {
      const problem = problemOf(await call(`${game.base}/boards/${path}`), "invalid");
      expect(pointersOf(problem)).toEqual(["country"]);
    }
  });

  it("without players are empty", async () => {
    const game = await newGame();
    await game.submit({ player: "a", points: 1, country: "DE" });
    expect(await game.top("current", { country: "FR" })).toMatchObject({ boardSize: 0, entries: [], next: null });
  });
});
