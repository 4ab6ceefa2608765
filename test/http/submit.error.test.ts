import { describe, expect, it } from "vitest";
import { call, freshGameId } from "../harness/api.ts";
import { gameOf, newGame, pointersOf, problemOf } from "../harness/game.ts";
import { openStores } from "../harness/stores.ts";

const stores = openStores();

describe("POST /scores refuses", () => {
  it("a game that does not exist", async () => {
    problemOf(await gameOf(freshGameId()).post({ player: "ada", points: 1 }), "unknown-game");
  });

  it("a game id that cannot exist", async () => {
    for (const game of ["Arena", "a_b", "x".repeat(33), "ä", "a%2Fb", "%00"]) {
      problemOf(await call(`/v1/games/${game}/scores`, { body: { player: "ada", points: 1 } }), "unknown-game");
    }
  });

  it("unknown fields, each at its pointer", async () => {
    const game = await newGame();
    const body = { player: "ada", points: 1, score: 5, "a/b": 1, "a~b": 1 };
    const problem = problemOf(await game.post(body), "invalid");
    expect(pointersOf(problem).toSorted()).toEqual(["/a~0b", "/a~1b", "/score"]);
    expect(await stores.rows(game.id)).toBe(0);
  });

  it("every wrong field at once, each at its pointer", async () => {
    const game = await newGame();
    const body = { player: "", points: -1, country: "DEU", submittedAt: "now" };
    const problem = problemOf(await game.post(body), "invalid");
    expect(pointersOf(problem).toSorted()).toEqual(["/country", "/player", "/points", "/submittedAt"]);
  });

  it("player ids that are no 1–64 characters, have control characters or are no Unicode", async () => {
    const game = await newGame();
    const players = [
      '""',
      '"a\\nb"',
      '"\\u0000"',
      '"\\ufeffada"',
      '"\\u007f"',
      '"\\u0085"',
      '"\\ud800"',
      `"${"x".repeat(65)}"`,
      `"${"😀".repeat(65)}"`,
      "7",
      "null",
      '["a"]',
    ];
    for (const player of players) {
      const answer = await call(`${game.base}/scores`, { rawBody: `{"player":${player},"points":1}` });
      expect(pointersOf(problemOf(answer, "invalid"))).toEqual(["/player"]);
    }
    expect(await stores.rows(game.id)).toBe(0);
  });

  it("a body that is no JSON", async () => {
    const game = await newGame();
    for (const rawBody of ["{", "player=ada", '{"player":"ada","points":1', "\u0000", '{"player":"ada" "points":1}']) {
      problemOf(await call(`${game.base}/scores`, { rawBody }), "unreadable");
    }
  });

  it("a body that is no UTF-8, on every route that takes one", async () => {
    const game = await newGame();
    const bodies: [path: string, method: string, body: string][] = [
      [`${game.base}/scores`, "POST", '{"player":"\u00ff","points":1}'],
      [`${game.base}/scores`, "POST", '{"player":"a\u00c3","points":1}'],
      [`${game.base}/scores/batch`, "POST", '{"submissions":[{"player":"\u00ed\u00a0\u0080","points":1}]}'],
      [game.base, "PUT", '{"badges":[{"badge":"\u00fe","threshold":1}]}'],
    ];
    for (const [path, method, body] of bodies) {
      const rawBody = Uint8Array.from(body, (byte) => byte.charCodeAt(0));
      problemOf(await call(path, { method, rawBody }), "unreadable");
    }
    expect(await stores.rows(game.id)).toBe(0);
    expect((await game.submit({ player: "\ufffd", points: 1 })).player).toBe("\ufffd");
  });

  it("a body that is no object", async () => {
    const game = await newGame();
    for (const rawBody of ["null", "[]", '"x"', "7", "true"]) {
      problemOf(await call(`${game.base}/scores`, { rawBody }), "invalid");
    }
  });

  it("no body at all", async () => {
    const game = await newGame();
    const problem = problemOf(await call(`${game.base}/scores`, { method: "POST" }), "invalid");
    expect(pointersOf(problem)).toEqual(["/player", "/points"]);
  });

  it("another content type", async () => {
    const game = await newGame();
    for (const type of [
      "text/plain",
      "application/x-www-form-urlencoded",
      "multipart/form-data; boundary=x",
      "nonsense",
      "text/plain; application/json",
      "application/jsonp;",
      ";application/json",
    ]) {
      const answer = await call(`${game.base}/scores`, {
        rawBody: '{"player":"ada","points":1}',
        headers: { "content-type": type },
      });
      problemOf(answer, "unsupported-media-type");
    }
    expect(await stores.rows(game.id)).toBe(0);
  });

  it("a content type of thousands of spaces, at once", async () => {
    const game = await newGame();
    const type = `application/json${" ".repeat(12_000)}x`;
    const startedMs = performance.now();
    const answer = await call(`${game.base}/scores`, { rawBody: "{}", headers: { "content-type": type } });
    problemOf(answer, "unsupported-media-type");
    expect(performance.now() - startedMs).toBeLessThan(700);
  });

  it("JSON nested a hundred thousand levels deep", async () => {
    const game = await newGame();
    const deep = "[".repeat(100_000) + "]".repeat(100_000);
    const answer = await call(`${game.base}/scores`, { rawBody: `{"player":${deep},"points":1}` });
    expect(pointersOf(problemOf(answer, "invalid"))).toEqual(["/player"]);
  });

  it.each([1_100_000, 10_000_000])("a body of %d bytes", async (size) => {
    const game = await newGame();
    const answer = await game.post({ player: "x".repeat(size), points: 1 });
    problemOf(answer, "too-large");
    expect(await stores.rows(game.id)).toBe(0);
    expect((await call("/healthz")).status).toBe(200);
  });

  it("a repeated field only for its last value", async () => {
    const game = await newGame();
    const answer = await call(`${game.base}/scores`, { rawBody: '{"player":"ada","points":-1,"points":1}' });
    expect(answer).toMatchObject({ status: 201, body: { points: 1 } });
  });
});
