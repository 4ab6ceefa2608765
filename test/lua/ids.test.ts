import { expect, it } from "vitest";
import { WEEK } from "./keys.ts";
import { useRedis } from "./use-redis.ts";

const server = useRedis();

const IDS = [
  ..."7|007|1e5|null|true|[1]|{}|nan|inf|-0|0x10|120000000000000000007|🙂|👩‍👩‍👧| a |a b|%s|'\"|\\n|$-1".split("|"),
  "Jos\u00e9",
  "Jose\u0301",
  "x".repeat(64),
  "🙂".repeat(64),
];

it("player ids come back as the strings they were, each one a player of its own", async () => {
  const engine = await server.openGame();
  await engine.submit(
    IDS.map((player, i) => ({ player, points: 100 - i, country: "DE" })),
    WEEK,
  );
  for (const board of [engine.keys.board(WEEK), engine.keys.country(WEEK, "DE"), engine.keys.allTime]) {
    expect((await engine.top(board, 100)).players).toEqual(IDS);
    for (const [i, player] of IDS.entries()) {
      expect(await engine.around(board, player, 0)).toMatchObject({ firstRank: i + 1, players: [player] });
    }
  }
  expect((await engine.events()).map((event) => event["player"])).toEqual(IDS);
  expect((await engine.count(engine.keys.board(WEEK)))[2]).toBe(String(IDS.length));
});

it("ids of submissions are looked up as the strings they are", async () => {
  const engine = await server.openGame();
  const events = IDS.map((submission) => ({ submission, player: "ann", points: "1", rank: "" }));
  expect(await engine.feed(events, WEEK)).toEqual(["ok", String(IDS.length)]);
  expect(await engine.feed(events, WEEK)).toEqual(["ok", "0"]);
});
