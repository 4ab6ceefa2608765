import { describe, expect, it } from "vitest";
import { call, freshGameId } from "../harness/api.ts";
import { newGame, pointersOf, problemOf, type GameClient } from "../harness/game.ts";
import { lastWeek } from "./times.ts";

/** A game whose players are named after their points, with many equal points. */
async function gameOfPlayers(size: number): Promise<GameClient> {
  const game = await newGame();
  await game.batch(
    Array.from({ length: size }, (_, i) => ({
      player: `p${i}`,
      points: Math.floor(i / 3),
      country: i % 2 === 0 ? "DE" : "FR",
    })),
  );
  return game;
}

/** All pages of a board; `between` runs after each. */
async function pages(
  game: GameClient,
  board: string,
  query: { n: number; country?: string },
  between = async () => {},
) {
  const found = [];
  let cursor: string | undefined;
  do {
    const page = await game.top(board, { ...query, ...(cursor === undefined ? {} : { cursor }) });
    found.push(page);
    cursor = page.next ?? undefined;
    await between();
  } while (cursor !== undefined);
  return found;
}

describe("GET /boards/{board}/top", () => {
  it("of an empty board is empty", async () => {
    const game = await newGame();
    expect(await game.top()).toMatchObject({ boardSize: 0, entries: [], next: null, country: null, version: "0" });
    expect(await game.top("all-time")).toMatchObject({ board: "all-time", boardSize: 0, entries: [] });
  });

  it("has ten entries unless asked for other, up to 100", async () => {
    const game = await gameOfPlayers(120);
    expect((await game.top()).entries).toHaveLength(10);
    expect((await game.top("current", { n: 1 })).entries).toHaveLength(1);
    expect((await game.top("current", { n: 100 })).entries).toHaveLength(100);
  });

  it.each([1, 7, 10, 20, 100])("pages by %d to the end, without repeating or skipping anybody", async (n) => {
    const game = await gameOfPlayers(20);
    for (const [board, query, size] of [
      ["current", { n }, 20],
      ["all-time", { n }, 20],
      ["current", { n, country: "DE" }, 10],
    ] as const) {
      const found = await pages(game, board, query);
      const entries = found.flatMap((page) => page.entries);
      expect(entries.map(({ rank }) => rank)).toEqual(Array.from({ length: size }, (_, i) => i + 1));
      expect(new Set(entries.map(({ player }) => player)).size).toBe(size);
      expect(found).toHaveLength(Math.ceil(size / n));
      for (const { rank, competitionRank, points } of entries) {
        expect(competitionRank).toBe(entries.findIndex((other) => other.points === points) + 1);
        expect(competitionRank).toBeLessThanOrEqual(rank);
      }
    }
  });

  it("pages without repeating or skipping a player who stands still while others move", async () => {
    const game = await gameOfPlayers(60);
    const still = Array.from({ length: 60 }, (_, i) => `p${i}`).filter((_, i) => i % 5 !== 0);
    let round = 0;
    const found = await pages(game, "current", { n: 10 }, async () => {
      round += 1;
      await game.batch([
        ...Array.from({ length: 12 }, (_, i) => ({ player: `p${i * 5}`, points: 100 * round + i })),
        { player: `new-${round}`, points: 500 },
      ]);
    });
    const seen = found.flatMap((page) => page.entries.map(({ player }) => player));
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.filter((player) => still.includes(player)).toSorted()).toEqual(still.toSorted());
  });

  it("goes on below the place of the cursor when its player left it", async () => {
    const game = await gameOfPlayers(12);
    const first = await game.top("current", { n: 5 });
    const last = first.entries.at(-1)?.player ?? "";
    await game.submit({ player: last, points: 1_000 });
    const rest = await game.top("current", { n: 100, cursor: first.next ?? "" });
    expect(rest.entries.map(({ rank }) => rank)).toEqual([6, 7, 8, 9, 10, 11, 12]);
    expect(rest.entries.map(({ player }) => player)).not.toContain(last);
  });

  it("raises its version with each change of the first ten, and only then", async () => {
    const game = await newGame();
    const versions = [];
    for (const points of [5, 9, 9, 7]) {
      await game.submit({ player: "ada", points });
      versions.push(BigInt((await game.top()).version));
    }
    const [first = 0n, second = 0n, ...others] = versions;
    expect(second).toBeGreaterThan(first);
    expect(others).toEqual([second, second]);
  });

  it("refuses numbers, countries and cursors that cannot be", async () => {
    const game = await gameOfPlayers(12);
    const { week, at } = lastWeek();
    await game.submit({ player: "a", points: 1, submittedAt: at(1) });
    await game.submit({ player: "b", points: 1, submittedAt: at(1) });
    const ofLastWeek = (await game.top(week, { n: 1 })).next ?? "";
    const made = (parts: unknown) => Buffer.from(JSON.stringify(parts)).toString("base64url");
    const wrong: [string, string][] = [
      ...["0", "-1", "101", "1.5", "x", "", "1e9"].map((n): [string, string] => ["n", n]),
      ...["XX", "DEU", ""].map((country): [string, string] => ["country", country]),
      ...[
        "",
        "x",
        "%",
        "e30",
        "x".repeat(601),
        ofLastWeek,
        made([1, 0, "a"]),
        made([1, 9_007_199_254_740_000, "a"]),
      ].map((cursor): [string, string] => ["cursor", cursor]),
      ["cursor", made([1, Date.now(), "a"])],
      ["cursor", made([8_589_934_592, Math.floor(Date.now() / 1000) * 1000, "a"])],
      ["cursor", made([1, Math.floor(Date.now() / 1000) * 1000, ""])],
    ];
    for (const [name, value] of wrong) {
      const answer = await call(`${game.base}/boards/current/top?${new URLSearchParams([[name, value]]).toString()}`);
      expect(pointersOf(problemOf(answer, "invalid")), `${name}=${value}`).toEqual([name]);
    }
    for (const atMs of [0, 1_704_067_199_000, 253_402_300_799_000, 8_640_000_000_000_000]) {
      problemOf(await call(`${game.base}/boards/all-time/top?cursor=${made([1, atMs, "a"])}`), "invalid");
    }
  });
});

describe("a board's name", () => {
  it("is current, all-time, a week that exists, or a board that the game defined", async () => {
    const game = await newGame();
    for (const board of ["2026-W54", "2025-W53", "2026-W00", "2026-w01", "2026W01", "26-W01", "2026-W1", "%20"]) {
      for (const rest of ["top", "players/ada", "around/ada", "players-count"]) {
        const answer = await call(`${game.base}/boards/${board}/${rest}`);
        expect(pointersOf(problemOf(answer, "invalid"))).toEqual(["board"]);
      }
    }
    problemOf(await call(`${game.base}/boards/today/top`), "unknown-board");
    for (const board of ["2026-W53", "1970-W01", "2099-W01"]) expect((await game.top(board)).boardSize).toBe(0);
  });

  it("of an unknown game is a 404 on every read", async () => {
    const base = `/v1/games/${freshGameId()}`;
    for (const board of ["current", "all-time", "2026-W02"]) {
      for (const rest of ["top", "players/ada", "around/ada", "players-count"]) {
        problemOf(await call(`${base}/boards/${board}/${rest}`), "unknown-game");
      }
    }
  });
});
