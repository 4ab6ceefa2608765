import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isNewer } from "../../functions/contract/live.ts";
import { versionOf } from "../../functions/domain/board/version.ts";
import type { Engine, Entry } from "./engine.ts";
import { WEEK, type Board } from "./keys.ts";
import { useRedis } from "./use-redis.ts";
import { ALL_TIME } from "../../functions/domain/board/board.ts";
import { currentBoard } from "../../functions/domain/board/time.ts";

const server = useRedis();

/** Few values, so that many players have the same points in the same second. */
const result = fc.record({
  player: fc.integer({ min: 0, max: 15 }).map((n) => `player-${n}`),
  points: fc.integer({ min: 0, max: 3 }),
  at: fc.integer({ min: 0, max: 2 }).map((second) => WEEK.start + second),
});

const boardsOf = ({ keys }: Engine): Board[] => [keys.board(WEEK), keys.allTime];

/** A result that counts if it is the player's best. */
async function play(engine: Engine, entry: Entry): Promise<void> {
  for (const board of boardsOf(engine)) await engine.fill(board, [entry]);
}

/** The version by the rule that Postgres has. */
async function byRule(engine: Engine, board: Board, moderated: string): Promise<string> {
  const { entries } = await engine.top(board, 100);
  const shown = entries.slice(0, 10);
  const last = shown.at(-1);
  const sum = (of: (entry: Entry) => number) => shown.reduce((total, entry) => total + of(entry), 0);
  const reaches = ({ points, at }: Entry) =>
    last !== undefined && (points > last.points || (points === last.points && at <= last.at));
  return versionOf(
    {
      moderated,
      entries: shown.length,
      points: sum(({ points }) => points),
      seconds: sum(({ at }) => at),
      reached: entries.filter(reaches).length,
    },
    board.start === "" ? ALL_TIME : currentBoard(board.start * 1000),
  );
}

describe("versions", () => {
  it("rise with every change of the first ten, however many players are equal, and never go down", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(result, { minLength: 15, maxLength: 60 }), async (results) => {
        const engine = await server.openGame();
        const before = new Map<string, { version: string; entries: string }>();
        for (const entry of results) {
          await play(engine, entry);
          for (const board of boardsOf(engine)) {
            const { version = "", entries } = await engine.top(board);
            const now = { version, entries: JSON.stringify(entries) };
            const last = before.get(board.key) ?? { version: "0", entries: "[]" };
            expect(isNewer(last.version, now.version)).toBe(false);
            if (now.entries !== last.entries) expect(isNewer(now.version, last.version)).toBe(true);
            before.set(board.key, now);
          }
        }
        for (const board of boardsOf(engine)) {
          expect((await engine.top(board)).version).toBe(await byRule(engine, board, "1"));
          expect((await engine.top(board, 3)).version).toBe(before.get(board.key)?.version);
          expect((await engine.around(board, results[0]?.player ?? "", 1)).version).toBe(
            before.get(board.key)?.version,
          );
        }
      }),
      { numRuns: 12 },
    );
  });

  it("are the same for the same entries, in whatever order they came", async () => {
    const entries = Array.from({ length: 25 }, (_, i) => ({
      player: `p${i}`,
      points: i % 4,
      at: WEEK.start + (i % 3),
    }));
    const versions = await Promise.all(
      [entries, entries.toReversed()].map(async (list) => {
        const engine = await server.openGame();
        for (const entry of list) await play(engine, entry);
        return Promise.all(boardsOf(engine).map(async (board) => (await engine.top(board)).version));
      }),
    );
    expect(versions[0]).toEqual(versions[1]);
  });

  it("have room for the most points and for the first and last second", async () => {
    const engine = await server.openGame();
    const most = Array.from({ length: 10 }, (_, i) => ({ player: `p${i}`, points: 2 ** 33 - 1, at: WEEK.start }));
    for (const board of boardsOf(engine)) {
      await engine.fill(board, most);
      expect((await engine.top(board)).version).toBe(await byRule(engine, board, "1"));
    }
  });

  it("rise when a moderator takes something off, also for two who read Postgres at the same moment", async () => {
    const engine = await server.openGame();
    const week = engine.keys.board(WEEK);
    for (const [i, player] of ["ann", "bob", "cid"].entries())
      await play(engine, { player, points: i, at: WEEK.start });
    const seen = [(await engine.top(week)).version ?? ""];
    const moderated = [];
    for (const player of ["cid", "bob", "ann"]) {
      moderated.push((await engine.correct(week, player, undefined, "", 5_000)).moderated);
      seen.push((await engine.top(week)).version ?? "");
    }
    expect(moderated).toEqual(["5000", "5001", "5002"]);
    for (const [i, version] of seen.slice(1).entries()) expect(isNewer(version, seen[i] ?? "")).toBe(true);
    // Nothing gets worse any more: the same correction changes nothing, and one that is older does not go back.
    expect((await engine.correct(week, "ann", undefined, "", 5_000)).moderated).toBe("5002");
    expect((await engine.top(week)).version).toBe(seen.at(-1));
  });

  it("of a country's board are its week's", async () => {
    const engine = await server.openGame();
    await engine.submit([{ player: "ann", points: 1, country: "DE" }], WEEK);
    await engine.submit([{ player: "bob", points: 2, country: "FR" }], WEEK);
    const { version } = await engine.top(engine.keys.board(WEEK));
    expect((await engine.top(engine.keys.country(WEEK, "DE"))).version).toBe(version);
    expect((await engine.around(engine.keys.country(WEEK, "DE"), "ann", 2)).version).toBe(version);
  });

  it("say that Redis lost what they begin with, until somebody brings it from Postgres", async () => {
    const engine = await server.openGame();
    const week = engine.keys.board(WEEK);
    await play(engine, { player: "ann", points: 1, at: WEEK.start });
    const { version } = await engine.top(week);
    for (const damage of [
      () => server.redis.del(engine.keys.moderated),
      () => server.redis.multi().del(engine.keys.moderated).lpush(engine.keys.moderated, "x").exec(),
      () => server.redis.set(engine.keys.moderated, "many"),
    ]) {
      await damage();
      expect((await engine.top(week)).version).toMatch(/^00/);
      await engine.call(
        "fill",
        [engine.keys.allTime.key, engine.keys.moderated, engine.keys.moderated],
        [1, "", "", "t", 0, 0],
      );
      expect((await engine.top(week)).version).toBe(version);
    }
  });
});
