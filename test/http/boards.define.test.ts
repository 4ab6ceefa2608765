import { describe, expect, it } from "vitest";
import { call, freshGame, freshGameId } from "../harness/api.ts";
import { pointersOf, problemOf } from "../harness/game.ts";
import { DEFAULTS, gameWith, get, LAPS, listed, pathOf, put, remove, storedBoards } from "./defined-boards.ts";

const stored = storedBoards();

describe("PUT /v1/games/{game}/boards/{board}", () => {
  it("defines a board: 201, with the defaults filled in, and GET returns it", async () => {
    const game = await freshGame();
    const answer = await put(game, "wins", { statistic: "wins" });
    expect(answer).toMatchObject({
      status: 201,
      body: { board: "wins", default: false, statistic: "wins", ...DEFAULTS },
    });
    expect(await get(game, "wins")).toMatchObject({ status: 200, body: { ...DEFAULTS, statistic: "wins" } });
  });

  it("changes what may change at once: 200, and a field that is left out gets its default", async () => {
    const game = await gameWith("laps", LAPS);
    const { title, ...untitled } = LAPS;
    expect(title).toBe("Fastest lap");
    expect(await put(game, "laps", { ...untitled, live: false })).toMatchObject({ status: 200 });
    expect((await get(game, "laps")).body).not.toHaveProperty("title");
  });

  it("gives submissions a compiled form, and none to a game that defines nothing", async () => {
    const game = await freshGame();
    expect(await stored.compiled(game)).toBeNull();
    await put(game, "laps", { ...LAPS, value: { min: -1.5, max: 60, decimals: 3 }, graceSeconds: 90 });
    await put(game, "best", { statistic: "distance", value: { min: 0, max: 2 ** 34, decimals: 0 } });
    expect(await stored.compiled(game)).toMatchObject([
      { id: "best", name: "best", order: "desc", split: 43, low: 0, high: 2 ** 34 },
      { id: "laps", name: "laps", order: "asc", split: 33, low: -1_500, high: 60_000, decimals: 3, graceSeconds: 90 },
    ]);
    await remove(game, "best");
    await remove(game, "laps");
    expect(await stored.compiled(game)).toBeNull();
  });

  it("raises the revision of the game's boards with each definition and deletion, and with nothing else", async () => {
    const game = await freshGame();
    expect(await stored.revision(game)).toBeNull();
    await call(`/v1/games/${game}`, { method: "PUT", body: {} });
    expect(await stored.revision(game)).toBeNull();
    const revisions: unknown[] = [];
    const note = async () => revisions.push(await stored.revision(game));
    await put(game, "laps", LAPS);
    await note();
    await put(game, "wins", { statistic: "wins" });
    await note();
    await put(game, "laps", { ...LAPS, title: "Laps" });
    await note();
    problemOf(await put(game, "laps", { ...LAPS, order: "up" }), "invalid");
    await note();
    await remove(game, "laps");
    await note();
    problemOf(await remove(game, "laps"), "unknown-board");
    await remove(game, "wins");
    await note();
    expect(revisions).toEqual([1, 2, 3, 3, 4, 5]);
    expect(await stored.compiled(game)).toBeNull();
  });

  it("fixes each part of the rule once an entry exists, and names it and the way out", async () => {
    const game = await gameWith("laps", LAPS);
    await stored.enter(game, "laps.2026-10-14");
    const changes = {
      statistic: "raceMs",
      order: "desc",
      aggregation: "last",
      value: { min: 0, max: 100, decimals: 0 },
      tie: "id",
      keyed: true,
    };
    const before = (await get(game, "laps")).body;
    for (const [part, value] of Object.entries(changes)) {
      const problem = problemOf(await put(game, "laps", { ...LAPS, [part]: value }), "conflict");
      expect(pointersOf(problem)).toEqual([`/${part}`]);
      expect(problem.errors?.[0]?.detail).toContain("define another board");
    }
    expect((await get(game, "laps")).body).toEqual(before);
    expect(await put(game, "laps", { ...LAPS, title: "Laps" })).toMatchObject({ status: 200, body: { title: "Laps" } });
  });

  it("leaves the rule open while there is no entry, also when another board's id begins with this one's", async () => {
    const game = await gameWith("laps", LAPS);
    for (const key of ["laps-2.all", "laps2.all", "lap.all", "lapsx~k.all"]) await stored.enter(game, key);
    expect((await put(game, "laps", { ...LAPS, order: "desc" })).status).toBe(200);
    await stored.enter(game, "laps~monza.2026-10-14");
    problemOf(await put(game, "laps", LAPS), "conflict");
  });

  it("defines at most 16 boards, however many requests come at once", async () => {
    const game = await freshGame();
    const ids = Array.from({ length: 20 }, (_, i) => `board-${i}`);
    const answers = await Promise.all(ids.map((board) => put(game, board, { statistic: "wins" })));
    const refused = answers.filter(({ status }) => status !== 201);
    expect(refused).toHaveLength(4);
    for (const answer of refused) expect(problemOf(answer, "conflict").detail).toContain("16");
    expect((await listed(game)).filter((board) => !board.default)).toHaveLength(16);
    const some = (await listed(game)).at(-1)?.board ?? "";
    expect((await put(game, some, { statistic: "losses" })).status).toBe(200);
    await remove(game, some);
    expect((await put(game, "another", { statistic: "wins" })).status).toBe(201);
  });

  it("takes definitions of one board that come at once one after the other", async () => {
    const game = await freshGame();
    const graces = [10, 20, 30, 40, 50];
    const answers = await Promise.all(graces.map((graceSeconds) => put(game, "laps", { ...LAPS, graceSeconds })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 201]);
    expect(await stored.definitions(game)).toMatchObject([{ name: "laps", revision: 5 }]);
  });

  it("of an unknown game is a 404 and writes nothing", async () => {
    const game = freshGameId();
    problemOf(await put(game, "laps", LAPS), "unknown-game");
    expect(await stored.definitions(game)).toEqual([]);
  });
});

describe("GET /v1/games/{game}/boards", () => {
  it("lists the boards of every game, marked, and then those that the game defined", async () => {
    const game = await gameWith("laps", LAPS);
    const boards = await listed(game);
    expect(boards.map((board) => [board.board, board.default])).toEqual([
      ["weekly", true],
      ["all-time", true],
      ["laps", false],
    ]);
    expect(await get(game, "weekly")).toMatchObject({ status: 200, body: { default: true, statistic: "points" } });
    expect(await get(game, "all-time")).toMatchObject({ status: 200, body: { schedule: { kind: "never" } } });
  });

  it("of an unknown game is a 404, and so is a board that the game does not have", async () => {
    problemOf(await call(pathOf(freshGameId())), "unknown-game");
    problemOf(await get(freshGameId(), "weekly"), "unknown-game");
    const game = await gameWith("laps", LAPS);
    for (const board of ["lap", "current", "previous"]) problemOf(await get(game, board), "unknown-board");
    problemOf(await get(await freshGame(), "laps"), "unknown-board");
  });
});

describe("DELETE /v1/games/{game}/boards/{board}", () => {
  it("takes the board away: 204, then 404", async () => {
    const game = await gameWith("laps", LAPS);
    expect((await remove(game, "laps")).status).toBe(204);
    problemOf(await get(game, "laps"), "unknown-board");
    problemOf(await remove(game, "laps"), "unknown-board");
    problemOf(await remove(freshGameId(), "laps"), "unknown-game");
  });

  it("refuses while an open period has entries, unless it is to be now; the rows stay", async () => {
    for (const key of ["", "~monza"]) {
      const game = await gameWith("laps", { ...LAPS, keyed: key !== "" });
      const [current] = await stored.periods(game);
      await stored.enter(game, `laps${key}.1999-12-31`);
      expect((await remove(game, "laps")).status).toBe(204);
      await put(game, "laps", { ...LAPS, keyed: key !== "" });
      await stored.enter(game, `laps#2${key}.${current?.period}`);
      expect(problemOf(await remove(game, "laps"), "conflict").detail).toContain("now=true");
      expect((await get(game, "laps")).status).toBe(200);
      expect((await remove(game, "laps", "?now=false")).status).toBe(409);
      expect((await remove(game, "laps", "?now=true")).status).toBe(204);
      expect(await stored.periods(game)).toMatchObject([{ board: "laps" }, { board: "laps#2" }]);
      expect(await stored.definitions(game)).toMatchObject([{ name: "laps" }, { name: "laps#2" }]);
    }
  });

  it("lets the id be defined anew, with another rule, beside the rows of the board before", async () => {
    const game = await gameWith("laps", LAPS);
    await stored.enter(game, "laps.1999-12-31");
    await remove(game, "laps");
    expect((await put(game, "laps", { ...LAPS, order: "desc" })).status).toBe(201);
    expect((await put(game, "laps", LAPS)).status).toBe(200);
    expect(await stored.compiled(game)).toMatchObject([{ id: "laps", name: "laps#2", revision: 2 }]);
  });

  it("takes no board of every game, and no other query", async () => {
    const game = await gameWith("laps", LAPS);
    for (const board of ["weekly", "all-time"]) {
      expect(pointersOf(problemOf(await remove(game, board), "invalid"))).toEqual(["board"]);
    }
    expect(pointersOf(problemOf(await remove(game, "laps", "?now=1"), "invalid"))).toEqual(["now"]);
    expect(pointersOf(problemOf(await remove(game, "laps", "?force=true"), "invalid"))).toEqual(["force"]);
  });
});
