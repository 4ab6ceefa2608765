import { describe, expect, it } from "vitest";
import { call } from "../harness/api.ts";
import { accepted, newGame, pointersOf, problemOf } from "../harness/game.ts";
import { openStores } from "../harness/stores.ts";
import { playerToken } from "./security-callers.ts";

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

  it("of one dot or two are refused wherever they could come in, since no URL can name them to a moderator", async () => {
    const game = await newGame();
    for (const player of [".", ".."]) {
      expect(pointersOf(problemOf(await game.post({ player, points: 1 }), "invalid"))).toEqual(["/player"]);
      const [item] = await game.batch([{ player, points: 1 }]);
      expect(item).toMatchObject({ status: 422, errors: [{ pointer: "/player" }] });
      const key = await playerToken(game.id, player);
      problemOf(await call(`${game.base}/scores`, { body: { player, points: 1 }, key }), "unauthorized");
      for (const name of [player, player.replaceAll(".", "%2e"), player.replaceAll(".", "%2E")]) {
        // Every client and server resolves them: what is left is another path, or none.
        for (const [method, path] of [
          ["GET", `boards/current/players/${name}`],
          ["GET", `boards/current/around/${name}`],
          ["GET", `players/${name}/badges`],
          ["PUT", `players/${name}/ban`],
          ["DELETE", `players/${name}`],
        ] as const) {
          expect([404, 405, 422], `${method} ${path}`).toContain(
            (await call(`${game.base}/${path}`, { method })).status,
          );
        }
      }
    }
    expect(await stores.rows(game.id)).toBe(0);
  });

  it("in a path that is no UTF-8 name no player, on every route that takes a player", async () => {
    const game = await newGame();
    for (const name of ["Jos%E9", "%E9", "a%C3", "%ED%A0%80", "%C0%AF", "%zz", "a%", "%FF%FE"]) {
      for (const [method, path] of [
        ["GET", `boards/current/players/${name}`],
        ["GET", `boards/current/around/${name}`],
        ["GET", `boards/${name}/top`],
        ["GET", `players/${name}/badges`],
        ["GET", `players/${name}/export`],
        ["PUT", `players/${name}/ban`],
        ["DELETE", `players/${name}/ban`],
        ["DELETE", `players/${name}`],
        ["DELETE", `submissions/${name}`],
        ["POST", `held/${name}/release`],
      ] as const) {
        problemOf(await call(`${game.base}/${path}`, { method }), "unreadable");
      }
      problemOf(await call(`/v1/games/${name}/feed`), "unreadable");
    }
    const { rows } = await stores.postgres.query("select 1 from moderation_log where game = $1", [game.id]);
    expect(rows).toEqual([]);
    expect(await stores.rows(game.id)).toBe(0);
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
