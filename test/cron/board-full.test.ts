/** Boards with more players than one key of Redis holds; the limit is played small. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { ALL_TIME } from "../../functions/domain/board/board.ts";
import { currentBoard } from "../../functions/domain/board/time.ts";
import { boardOfEveryGame } from "../../functions/services/boards/board-to-read.ts";
import { readPlayersCount, readStanding, readTop } from "../../functions/services/boards/read-boards.ts";
import { readFeed } from "../../functions/services/boards/read-feed.ts";
import { rebuildGame } from "../../functions/services/healing/rebuild.ts";
import { readStream } from "../../functions/services/operations/read-vitals.ts";
import { librarySource } from "../../lua/loader.ts";
import { examine } from "../../tools/doctor/examine.ts";
import { openStores } from "../../tools/doctor/stores.ts";
import { toolDeps } from "../../tools/doctor/tool-deps.ts";
import { rebuild } from "../../tools/rebuild/rebuild.ts";
import { LIBRARY } from "../lua/redis-server.ts";
import { startWorld, type World } from "./world.ts";
import { allTimeKey, weekKey } from "../harness/board-keys.ts";

/** About three hundred players a board. */
const KEY_BYTES = 48 * 1024;
const PLAYERS = 1_200;
const CURRENT = currentBoard(Date.now());
const BOARDS = [
  ["the week's", CURRENT],
  ["the all-time", ALL_TIME],
] as const;

const Answer = z.object({
  rank: z.int().nullable(),
  boardSize: z.int().nullable(),
  ranked: z.boolean(),
  allTime: z.object({ rank: z.int().nullable() }),
});

let world: World;
let game: string;
beforeAll(async () => {
  world = await startWorld(undefined, { keyBytes: KEY_BYTES });
  game = await world.game();
  for (let from = 0; from < PLAYERS; from += 100) {
    await world.submit(
      game,
      ...Array.from({ length: 100 }, (_, i) => ({ player: `p${from + i}`, points: from + i + 1 })),
    );
  }
});
afterAll(() => world.stop());

const post = async (player: string, points: number) =>
  Answer.parse(await world.api("POST", `/v1/games/${game}/scores`, { player, points }));
const isClosed = async (key: string) => (await world.redis.type(key)) === "string";
const names = (places: readonly number[]) => places.map((place) => `p${PLAYERS - place}`);

async function expectWholeBoards(): Promise<void> {
  for (const [name, board] of BOARDS) {
    for (const n of [0, 1, 299, 1_000, PLAYERS - 1]) {
      const { body, source } = await world.run((deps) =>
        readStanding(deps, game, boardOfEveryGame(deps, board), `p${n}`),
      );
      expect([name, body.rank, body.boardSize]).toEqual([name, PLAYERS - n, PLAYERS]);
      expect(source).toEqual({ from: "postgres", degraded: true });
    }
    const { body } = await world.run((deps) => readTop(deps, game, boardOfEveryGame(deps, board), 3, undefined));
    expect(body.entries.map(({ player }) => player)).toEqual(names([1, 2, 3]));
    const count = await world.run((deps) => readPlayersCount(deps, game, boardOfEveryGame(deps, board)));
    expect(count.body.ranked).toBe(PLAYERS);
  }
}

describe("a game whose boards outgrew their keys", () => {
  it("closed them, and is not taken for a missing game: its feed goes on in Redis", async () => {
    expect(await isClosed(weekKey(game, CURRENT.name))).toBe(true);
    expect(await isClosed(allTimeKey(game))).toBe(true);
    const { body, source } = await world.run((deps) => readFeed(deps, game, 1, undefined));
    expect(body.events.map(({ player }) => player)).toEqual([`p${PLAYERS - 1}`]);
    expect(source).toEqual({ from: "redis", degraded: false });
  });

  it("shows everybody at the right place, who found no room in Redis too", expectWholeBoards);

  it("answers a submission with the places that Postgres knows, of a new player and of one of the first", async () => {
    const other = await world.game();
    expect(await post("p0", 1)).toMatchObject({ rank: PLAYERS, ranked: true, allTime: { rank: PLAYERS } });
    expect(await post("p1199", 1_200)).toMatchObject({ rank: 1, ranked: true, allTime: { rank: 1 } });
    const elsewhere = await world.api("POST", `/v1/games/${other}/scores`, { player: "p0", points: 1 });
    expect(Answer.parse(elsewhere)).toMatchObject({ rank: 1, ranked: true, allTime: { rank: 1 } });
  });

  it("answers a batch too: ten of it with places", async () => {
    const submissions = Array.from({ length: 12 }, (_, i) => ({
      player: `p${i}`,
      points: i + 1,
      idempotencyKey: `again-${i}`,
    }));
    const answer = await world.api("POST", `/v1/games/${game}/scores/batch`, { submissions });
    const { results } = z.object({ results: z.array(Answer) }).parse(answer);
    expect(results.map(({ rank }) => rank)).toEqual([...Array.from({ length: 10 }, (_, i) => PLAYERS - i), null, null]);
  });

  it("is told of by the metrics", async () => {
    const found = await world.run(readStream);
    expect(found?.stream.fullBoards).toBe(2);
  });

  it("is looked after by ticks as any other game", async () => {
    await world.tick(60_000);
    const { results } = z
      .object({ results: z.array(Answer) })
      .parse(
        await world.api("POST", `/v1/games/${game}/scores/batch`, { submissions: [{ player: "late", points: 5_000 }] }),
      );
    expect(results).toMatchObject([{ rank: 1 }]);
    await world.tick(60_000);
    expect(await isClosed(weekKey(game, CURRENT.name))).toBe(true);
    const feed = await world.run((deps) => readFeed(deps, game, 1, undefined));
    expect(feed.source).toEqual({ from: "redis", degraded: false });
    await world.api("DELETE", `/v1/games/${game}/players/late`);
    await expectWholeBoards();
  });

  it("is rebuilt to its end after Redis was lost, and its boards are closed again", async () => {
    await world.lose();
    const outcome = await world.run((deps) => rebuildGame(deps, game, Number.POSITIVE_INFINITY));
    expect(outcome).toBe("opened");
    expect(await isClosed(weekKey(game, CURRENT.name))).toBe(true);
    expect(await isClosed(allTimeKey(game))).toBe(true);
    await expectWholeBoards();
  });

  it("is found by the doctor, and gets its boards back by a rebuild once they have room", async () => {
    const stores = await openStores({ ...process.env, ...world.storesByTcp }, "");
    const closed = [];
    for await (const { problems } of examine(stores, { game, full: true })) {
      closed.push(...problems.filter(({ check }) => check === "full").map(({ board }) => board));
    }
    expect(closed.toSorted()).toEqual([CURRENT.name, "all-time"].toSorted());

    // Without the endpoint's check in it: a plan with larger keys.
    await world.redis.call("FUNCTION", "LOAD", "REPLACE", librarySource(LIBRARY, "redis"));
    const report = { loaded: () => undefined, compared: () => undefined };
    expect(await rebuild(stores, toolDeps(stores), game, undefined, report)).toMatchObject({ how: "rebuilt" });
    await stores.close();
    for (const [, board] of BOARDS) {
      const { body, source } = await world.run((deps) => readStanding(deps, game, boardOfEveryGame(deps, board), "p0"));
      expect([body.rank, source.from]).toEqual([PLAYERS, "redis"]);
    }
    expect(await post("p2", 3)).toMatchObject({ rank: PLAYERS - 2, ranked: true });
  });
});
