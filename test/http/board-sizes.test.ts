/** Postgres keeps how many players a board has: every change of entries changes the number. */
import { describe, expect, it } from "vitest";
import { weekOf } from "../../functions/domain/board/week.ts";
import { call } from "../harness/api.ts";
import { newGame, type GameClient } from "../harness/game.ts";
import { openStores } from "../harness/stores.ts";

const stores = openStores();
const week = () => weekOf(Date.now());

/** The kept sizes, which have to be those of the entries. */
async function sizes(game: GameClient): Promise<Record<string, number>> {
  const [kept, bests] = await Promise.all([stores.boardSizes(game.id), stores.bests(game.id)]);
  const entries = Map.groupBy(bests, ({ board }) => board);
  expect(kept).toEqual(Object.fromEntries([...entries].map(([board, of]) => [board, of.length])));
  return kept;
}

describe("the size of a board in Postgres", () => {
  it("counts players once, on the week's and the all-time board", async () => {
    const game = await newGame();
    expect((await game.submit({ player: "ada", points: 5 })).boardSize).toBe(1);
    expect((await game.submit({ player: "ada", points: 9 })).boardSize).toBe(1);
    expect((await game.submit({ player: "bob", points: 7 })).boardSize).toBe(2);
    const lastWeek = new Date(Date.now() - 7 * 86_400_000).toISOString();
    const old = await game.submit({ player: "cid", points: 3, submittedAt: lastWeek });
    expect(old.boardSize).toBe(1);
    expect(await sizes(game)).toEqual({ [old.week]: 1, [week()]: 2, "all-time": 3 });
  });

  it("is the same for all of a batch: that after the whole batch", async () => {
    const game = await newGame();
    const lastWeek = new Date(Date.now() - 7 * 86_400_000).toISOString();
    const results = await game.batch([
      ...["ada", "bob", "ada", "cid"].map((player, i) => ({ player, points: i })),
      { player: "ada", points: 1, submittedAt: lastWeek },
    ]);
    expect(results.map((result) => "boardSize" in result && result.boardSize)).toEqual([3, 3, 3, 3, 1]);
  });

  it("is right after many players came at once, alone and in batches, some of them twice", async () => {
    const game = await newGame();
    const player = (i: number) => `p${i % 90}`;
    await Promise.all([
      ...Array.from({ length: 120 }, (_, i) => game.submit({ player: player(i), points: i })),
      ...Array.from({ length: 4 }, (_, n) =>
        game.batch(Array.from({ length: 50 }, (_, i) => ({ player: player(n * 40 + i), points: i }))),
      ),
    ]);
    expect(await sizes(game)).toEqual({ [week()]: 90, "all-time": 90 });
    expect((await game.top()).boardSize).toBe(90);
  });

  it("follows moderation", async () => {
    const game = await newGame();
    for (const player of ["ada", "bob", "cid"]) await game.submit({ player, points: 5 });
    const { submissionId } = await game.submit({ player: "dan", points: 8 });
    const both = (n: number) => ({ [week()]: n, "all-time": n });
    const steps: [method: string, path: string, left: number][] = [
      ["PUT", "players/ada/ban", 3],
      ["DELETE", "players/ada/ban", 4],
      ["DELETE", `submissions/${submissionId}`, 3],
      ["DELETE", "players/bob", 2],
    ];
    for (const [method, path, left] of steps) {
      expect((await call(`${game.base}/${path}`, { method })).status, path).toBe(204);
      expect(await sizes(game), path).toEqual(both(left));
    }
    expect((await game.submit({ player: "ada", points: 1 })).boardSize).toBe(2);
  });

  it("that nobody knows refuses no submission", async () => {
    const game = await newGame();
    await game.submit({ player: "ada", points: 5 });
    await stores.postgres.query("delete from board_sizes where game = $1", [game.id]);
    expect(await game.submit({ player: "ada", points: 4 })).toMatchObject({ rank: 1, boardSize: 1, ranked: true });
    const results = await game.batch([{ player: "ada", points: 3 }]);
    expect(results).toMatchObject([{ rank: 1, boardSize: 1 }]);
  });

  it("can be counted anew", async () => {
    const game = await newGame();
    for (const player of ["ada", "bob"]) await game.submit({ player, points: 5 });
    await stores.postgres.query("update board_sizes set players = 40 where game = $1", [game.id]);
    for (const board of [week(), "all-time"]) {
      await stores.postgres.query("select recount_board_v1($1, $2)", [game.id, board]);
    }
    expect(await sizes(game)).toEqual({ [week()]: 2, "all-time": 2 });
    await game.submit({ player: "cleo", points: 4 });
    expect(await sizes(game)).toEqual({ [week()]: 3, "all-time": 3 });
  });

  it("can be counted although nothing counted it before", async () => {
    const game = await newGame();
    for (const player of ["ada", "bob", "cleo"]) await game.submit({ player, points: 5 });
    await stores.postgres.query("delete from board_sizes where game = $1", [game.id]);
    for (const board of [week(), "all-time"]) {
      await stores.postgres.query("select recount_board_v1($1, $2)", [game.id, board]);
    }
    expect(await sizes(game)).toEqual({ [week()]: 3, "all-time": 3 });
    expect((await call(`${game.base}/players/bob`, { method: "DELETE" })).status).toBe(204);
    expect(await sizes(game)).toEqual({ [week()]: 2, "all-time": 2 });
  });
});
