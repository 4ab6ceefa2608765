import { describe, expect, it } from "vitest";
import { call } from "../harness/api.ts";
import { accepted, newGame, problemOf } from "../harness/game.ts";
import { openStores } from "../harness/stores.ts";

const stores = openStores();

const NFC = "Jos\u00e9";
const NFD = "Jose\u0301";

/** Ids that something on the way might take for a number, a keyword, a path or markup. */
const IDS = [
  ..."7 007 1e5 null true [1] 120000000000000000007 -0 0x7 NaN undefined __proto__ constructor".split(" "),
  ..."😀 👩‍👩‍👧 日本 a/b %41 % %2F a% a+b a&b=c ? # a:b {a} * \" \\ ' ` <b> $1 a,b a;b ...".split(" "),
  NFC,
  NFD,
  "a b",
  " a ",
  " ",
  "\u00a0",
  "\u200b",
  "x".repeat(64),
  "😀".repeat(64),
];

describe("player ids", () => {
  it("come back as sent from a submission, top, feed and Postgres", async () => {
    const game = await newGame();
    for (const [i, player] of IDS.entries()) {
      expect((await game.submit({ player, points: IDS.length - i })).player).toBe(player);
    }
    for (const board of ["current", "all-time"]) {
      expect((await game.top(board, { n: 100 })).entries.map((entry) => entry.player)).toEqual(IDS);
    }
    expect((await game.feed({ n: 100 })).events.map((event) => event.player)).toEqual(IDS.toReversed());
    expect((await game.count()).ranked).toBe(IDS.length);
    const { rows } = await stores.postgres.query("select player from submissions where game = $1 order by id", [
      game.id,
    ]);
    expect(rows.map((row: { player: string }) => row.player)).toEqual(IDS);
  });

  it("come back as sent from a batch, and name the player in the path of standing, around and badges", async () => {
    const game = await newGame();
    const results = accepted(await game.batch(IDS.map((player, i) => ({ player, points: IDS.length - i }))));
    expect(results.map(({ player }) => player)).toEqual(IDS);
    const awarded = IDS.map((player, i) => [game.id, player, String(i)]);
    for (const values of awarded) {
      await stores.postgres.query(
        "insert into badges (game, player, badge, threshold, points, submission_id) values ($1, $2, $3, 1, 1, uuidv7())",
        values,
      );
    }
    const readAll = IDS.map(async (player, i) => {
      expect(await game.standing(player)).toMatchObject({ player, rank: i + 1 });
      expect((await game.around(player, { k: 0 })).entries).toMatchObject([{ player, rank: i + 1 }]);
      expect(await game.badges(player)).toMatchObject([{ badge: String(i) }]);
    });
    await Promise.all(readAll);
  });

  it("come back as sent from a cursor", async () => {
    const game = await newGame();
    await game.batch(IDS.map((player, i) => ({ player, points: IDS.length - i })));
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await game.top("current", { n: 1, ...(cursor === undefined ? {} : { cursor }) });
      seen.push(...page.entries.map(({ player }) => player));
      cursor = page.next ?? undefined;
    } while (cursor !== undefined);
    expect(seen).toEqual(IDS);
  });

  it("in composed and decomposed form are two players", async () => {
    const game = await newGame();
    await game.submit({ player: NFC, points: 2 });
    expect(await game.submit({ player: NFD, points: 1 })).toMatchObject({ rank: 2, boardSize: 2, previousBest: null });
    expect((await game.standing(NFC)).points).toBe(2);
    expect((await game.standing(NFD)).points).toBe(1);
  });

  it("of which one is the start of another, or differs in case, are different players", async () => {
    const game = await newGame();
    for (const player of ["a", "aa", "A", "a ", " a"]) await game.submit({ player, points: 1 });
    expect((await game.top()).boardSize).toBe(5);
  });

  it("of dots alone come back from boards and feed, but no URL can name them", async () => {
    const game = await newGame();
    await game.batch([".", ".."].map((player) => ({ player, points: 1 })));
    for (const player of [".", ".."]) {
      problemOf(await call(`${game.base}/boards/current/players/${encodeURIComponent(player)}`), "not-found");
    }
    expect((await game.top()).entries.map(({ player }) => player)).toEqual(["..", "."]);
    expect((await game.feed()).events.map(({ player }) => player)).toEqual(["..", "."]);
  });

  it("that cannot exist are refused in paths too", async () => {
    const game = await newGame();
    for (const player of ["%00", "%0A", "%EF%BB%BFada", "x".repeat(65)]) {
      problemOf(await call(`${game.base}/boards/current/players/${player}`), "invalid");
      problemOf(await call(`${game.base}/boards/current/around/${player}`), "invalid");
      problemOf(await call(`${game.base}/players/${player}/badges`), "invalid");
    }
  });
});
