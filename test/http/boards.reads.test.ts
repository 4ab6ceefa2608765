import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import {
  DefinedAroundResponse,
  DefinedCountResponse,
  DefinedStandingResponse,
  DefinedTopResponse,
} from "../../functions/contract/board-reads.ts";
import { call, freshGame } from "../harness/api.ts";
import { openStores } from "../harness/stores.ts";
import { until } from "../harness/until.ts";
import { pointersOf, problemOf } from "../harness/game.ts";
import { gameWith, LAPS, put, remove } from "./defined-boards.ts";

const stores = openStores();
const { postgres } = stores;
const NEVER = { schedule: { kind: "never" } };

async function batch(game: string, submissions: readonly object[]): Promise<void> {
  const items = submissions.map((one) => ({ ...one, idempotencyKey: randomUUID() }));
  const { status } = await call(`/v1/games/${game}/scores/batch`, { method: "POST", body: { submissions: items } });
  expect(status).toBe(200);
}
const get = (game: string, path: string) => call(`/v1/games/${game}/boards/${path}`, { key: null });

async function read<T>(schema: { strict(): { parse(body: unknown): T } }, game: string, path: string): Promise<T> {
  const { status, body } = await get(game, path);
  expect(status, JSON.stringify(body)).toBe(200);
  return schema.strict().parse(body);
}
const top = (game: string, path: string) => read(DefinedTopResponse, game, path);
const names = async (game: string, path: string) => (await top(game, path)).entries.map(({ player }) => player);

describe("reads of a board that the game defined", () => {
  it("show places, values and the period", async () => {
    const game = await gameWith("laps", { ...LAPS, value: { min: 0, max: 600, decimals: 3 } });
    await batch(game, [
      { player: "ada", values: { lapMs: 83.211 } },
      { player: "ben", values: { lapMs: 84.002 } },
      { player: "cyd", values: { lapMs: 83.211 } },
      { player: "dan", values: { lapMs: 90.5 } },
    ]);
    const page = await top(game, "laps/top");
    expect(page).toMatchObject({
      board: "laps",
      key: `laps.${page.period}`,
      state: "open",
      segment: null,
      boardSize: 4,
      next: null,
    });
    expect(
      page.entries.map(({ rank, competitionRank, player, value }) => [rank, competitionRank, player, value]),
    ).toEqual([
      [1, 1, "cyd", 83.211],
      [2, 1, "ada", 83.211],
      [3, 3, "ben", 84.002],
      [4, 4, "dan", 90.5],
    ]);
    expect(Date.parse(page.resetsAt ?? "") - Date.parse(page.startsAt ?? "")).toBe(86_400_000);
    expect(await read(DefinedStandingResponse, game, "laps/players/ben")).toMatchObject({
      rank: 3,
      value: 84.002,
      values: { lapMs: 84.002 },
      percentile: 50,
    });
    const around = await read(DefinedAroundResponse, game, "laps/around/ben?k=1");
    expect(around.entries.map(({ player }) => player)).toEqual(["ada", "ben", "dan"]);
    expect(around.entry).toMatchObject({ player: "ben", rank: 3 });
    expect(await read(DefinedCountResponse, game, "laps/players-count")).toMatchObject({ ranked: 4, estimate: 4 });
    problemOf(await get(game, "laps/players/nobody"), "not-ranked");
  });

  it.each([1, 3, 10])("page by %d to the end, without repeating or skipping a player", async (n) => {
    const game = await gameWith("wins", { statistic: "wins", ...NEVER });
    await batch(
      game,
      Array.from({ length: 20 }, (_, i) => ({ player: `p${i}`, values: { wins: i % 4 } })),
    );
    const found: (string | number)[][] = [];
    let cursor: string | null = null;
    do {
      const page: DefinedTopResponse = await top(game, `wins/top?n=${n}${cursor === null ? "" : `&cursor=${cursor}`}`);
      found.push(...page.entries.map(({ rank, player }) => [rank, player]));
      cursor = page.next;
    } while (cursor !== null);
    const inOrder = Array.from({ length: 20 }, (_, i) => `p${i}`).sort((a, b) => {
      const points = (player: string) => Number(player.slice(1)) % 4;
      return points(b) - points(a) || (a < b ? 1 : -1);
    });
    expect(found).toEqual(inOrder.map((player, i) => [i + 1, player]));
  });

  it("show parts of it, one a player and segment", async () => {
    const game = await gameWith("wins", { statistic: "wins", segments: ["country", "platform"], ...NEVER });
    await batch(game, [
      { player: "ada", values: { wins: 3 }, country: "DE", segments: { platform: "ios" } },
      { player: "ben", values: { wins: 2 }, country: "DE", segments: { platform: "web" } },
      { player: "cyd", values: { wins: 1 }, country: "FR" },
    ]);
    expect(await names(game, "wins/top?segment=country:DE")).toEqual(["ada", "ben"]);
    expect(await names(game, "wins/top?country=de")).toEqual(["ada", "ben"]);
    expect(await top(game, "wins/top?segment=platform:web")).toMatchObject({
      segment: "platform:web",
      boardSize: 1,
      entries: [{ rank: 1, player: "ben" }],
    });
    await batch(game, [{ player: "ada", values: { wins: 0 }, country: "FR" }]);
    expect(await names(game, "wins/top?country=FR")).toEqual(["ada", "cyd"]);
    expect(await names(game, "wins/top?country=DE")).toEqual(["ben"]);
    for (const query of ["segment=guild:x", "segment=platform", "segment=platform:ios&country=DE"])
      expect(pointersOf(problemOf(await get(game, `wins/top?${query}`), "invalid"))).toEqual(["segment"]);
  });

  it("show several statistics, sums, and ids where ids decide", async () => {
    const parts = [
      { statistic: "stars", bits: 8 },
      { statistic: "lapMs", order: "asc", bits: 25 },
    ];
    const game = await gameWith("runs", { parts, ...NEVER });
    await put(game, "by-id", { statistic: "lapMs", order: "asc", tie: "id", ...NEVER });
    await batch(game, [
      { player: "ada", values: { stars: 2, lapMs: 900 } },
      { player: "ben", values: { stars: 3, lapMs: 900 } },
    ]);
    expect((await top(game, "runs/top")).entries).toMatchObject([
      { player: "ben", value: null, values: { stars: 3, lapMs: 900 } },
      { player: "ada", values: { stars: 2, lapMs: 900 } },
    ]);
    await batch(game, [{ player: "aaa", values: { stars: 0, lapMs: 900 } }]);
    expect((await top(game, "by-id/top")).entries.map(({ player, achievedAt }) => [player, achievedAt])).toEqual([
      ["ben", null],
      ["ada", null],
      ["aaa", null],
    ]);
  });

  it("show another level, an earlier period and the one before", async () => {
    const game = await gameWith("song", {
      statistic: "notes",
      keyed: true,
      schedule: { kind: "day", zone: "UTC", at: "00:00" },
    });
    await batch(game, [{ player: "ada", values: { notes: 5 }, keys: { song: "a-1" } }]);
    const { period, startsAt } = await top(game, "song~a-1/top");
    expect(await names(game, "song~a-1/top")).toEqual(["ada"]);
    expect(await names(game, "song~b/top")).toEqual([]);
    // As if it had been played a day ago.
    const day = 86_400_000;
    const before = new Date(Date.parse(startsAt ?? "") - day).toISOString();
    await postgres.query(
      "insert into periods (game, board, period, starts_at, ends_at, closes_at, unit_ms) values ($1, 'song', $2, $3, $4, $4, 1)",
      [game, before.slice(0, 10), before, startsAt],
    );
    await postgres.query("update bests set board = $2 where game = $1 and board like 'song%'", [
      game,
      `song~a-1.${before.slice(0, 10)}`,
    ]);
    await stores.lose(game);
    expect(await top(game, "song~a-1.previous/top")).toMatchObject({
      period: before.slice(0, 10),
      state: "closed",
      entries: [{ player: "ada" }],
    });
    expect(await names(game, `song~a-1.${before.slice(0, 10)}/top`)).toEqual(["ada"]);
    await until("the page of before is not kept any more", async () => {
      return (await names(game, `song~a-1.${period}/top`)).length === 0;
    });
  });

  it("name boards of every game too", async () => {
    const game = await freshGame();
    await batch(game, [{ player: "ada", points: 5 }]);
    for (const [name, board] of [
      ["weekly", "current"],
      ["all-time.all", "all-time"],
    ]) {
      const { body } = await get(game, `${board ?? ""}/top`);
      expect((await get(game, `${name ?? ""}/top`)).body).toEqual(body);
    }
    expect(await get(game, "weekly.previous/top")).toMatchObject({ status: 200, body: { entries: [] } });
    expect((await get(game, "current/top?segment=country:DE")).status).toBe(200);
    for (const query of ["segment=platform:ios", "segment=country:DE&country=DE"])
      expect(pointersOf(problemOf(await get(game, `current/top?${query}`), "invalid"))).toEqual(["segment"]);
  });

  it("of what is not there say so", async () => {
    const game = await gameWith("laps", LAPS);
    await put(game, "song", { statistic: "notes", keyed: true, ...NEVER });
    for (const path of ["nope", "laps.2026-W01", "laps.all", "song~a.2026-01-01", "laps.previous"])
      problemOf(await get(game, `${path}/top`), "unknown-board");
    for (const path of ["laps~a", "song", "laps.", "laps~", "Laps", "weekly~a", "previous", "weekly.all-time"])
      expect(pointersOf(problemOf(await get(game, `${path}/top`), "invalid")), path).toEqual(["board"]);
    problemOf(await get(game, "laps/top?cursor=abc"), "invalid");
    await remove(game, "laps");
    problemOf(await get(game, "laps/top"), "unknown-board");
    problemOf(await get("no-such-game-at-all", "laps/top"), "unknown-game");
  });

  it("do not show a player who was banned", async () => {
    const game = await gameWith("wins", { statistic: "wins", ...NEVER });
    await batch(game, [
      { player: "ada", values: { wins: 3 } },
      { player: "eve", values: { wins: 9 } },
    ]);
    expect(await names(game, "wins/top")).toEqual(["eve", "ada"]);
    await call(`/v1/games/${game}/players/eve/ban`, { method: "PUT" });
    expect(await names(game, "wins/top")).toEqual(["ada"]);
  });
});
