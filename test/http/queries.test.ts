import { beforeAll, describe, expect, it } from "vitest";
import { call } from "../harness/api.ts";
import { newGame, pointersOf, problemOf, type GameClient } from "../harness/game.ts";
import { openStores } from "../harness/stores.ts";
import { lastWeek } from "./times.ts";
import { routesOf } from "./security-routes.ts";

const stores = openStores();

describe("a query that no route knows", () => {
  let game: GameClient;

  beforeAll(async () => {
    game = await newGame();
    await game.submit({ player: "ada", points: 10 });
  });

  for (const operation of Object.keys(routesOf("any", "ada"))) {
    it(`is refused by ${operation}, and does nothing`, async () => {
      const route = routesOf(game.id, "ada")[operation];
      if (!route) throw new Error(`no route ${operation}`);
      const before = await stores.rows(game.id);
      for (const name of ["nope", "N", "__proto__", "constructor", "country[]", "%E9"]) {
        const answer = await call(`${route.path}?${name}=1`, route.options);
        const problem = problemOf(answer, "invalid");
        expect(pointersOf(problem), name).toEqual([name]);
        expect(problem.errors?.[0]?.detail).toBe("is not a parameter of this route");
      }
      expect(await stores.rows(game.id)).toBe(before);
    });
  }

  it("is refused by the document", async () => {
    problemOf(await call("/openapi.json?nope=1"), "invalid");
  });
});

describe("a parameter that is sent twice", () => {
  it.each([
    ["boards/current/top", "n=5&n=5", "n"],
    ["boards/current/top", "country=DE&country=DE", "country"],
    ["boards/current/top", "cursor=x&n=5&cursor=x", "cursor"],
    ["boards/current/players/ada", "country=DE&country=FR", "country"],
    ["boards/current/around/ada", "k=1&k=2", "k"],
    ["boards/current/players-count", "country=DE&country=", "country"],
    ["feed", "n=1&n=", "n"],
    ["held", "n=1&n=2", "n"],
    ["players/ada/export", "cursor=x&cursor=y", "cursor"],
  ])("is refused: %s?%s", async (path, query, name) => {
    const game = await newGame();
    const problem = problemOf(await call(`${game.base}/${path}?${query}`), "invalid");
    expect(problem.errors).toEqual([{ pointer: name, detail: "must not be sent more than once" }]);
  });
});

describe("a number in a query", () => {
  it("is made of digits", async () => {
    const game = await newGame();
    await game.submit({ player: "ada", points: 10 });
    for (const k of ["", "%20", "+1", "1.0", "1e1", "0x1", "1%20", "١", "NaN"]) {
      const answer = await call(`${game.base}/boards/current/around/ada?k=${k}`);
      expect(problemOf(answer, "invalid").errors, k).toEqual([{ pointer: "k", detail: "must be an integer" }]);
    }
    const large = await call(`${game.base}/feed?n=101`);
    expect(problemOf(large, "invalid").errors).toEqual([{ pointer: "n", detail: "must be 100 or less" }]);
  });
});

describe("GET /boards/{board}/players-count", () => {
  it("counts the players of a country", async () => {
    const game = await newGame();
    const { week, at } = lastWeek();
    const countries = ["DE", "DE", "FR"];
    await game.batch(countries.map((country, i) => ({ player: `p${i}`, points: i, country })));
    await game.submit({ player: "old", points: 1, country: "DE", submittedAt: at(1) });
    const count = async (board: string, query: string) =>
      (await call(`${game.base}/boards/${board}/players-count${query}`)).body;
    expect(await count("current", "?country=DE")).toMatchObject({ ranked: 2, estimate: 2 });
    expect(await count("current", "?country=fr")).toMatchObject({ ranked: 1 });
    expect(await count("current", "?country=IT")).toMatchObject({ ranked: 0 });
    expect(await count("current", "")).toMatchObject({ ranked: 3 });
    expect(await count(week, "?country=DE")).toMatchObject({ board: week, ranked: 1 });
    problemOf(await call(`${game.base}/boards/all-time/players-count?country=DE`), "invalid");
    problemOf(await call(`${game.base}/boards/current/players-count?country=XX`), "invalid");
  });
});
