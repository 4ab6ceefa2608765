import { describe, expect, it } from "vitest";
import { BanNoted, PlayerExport } from "../../functions/contract/moderation.ts";
import { call } from "../harness/api.ts";
import { newGame, problemOf, type GameClient } from "../harness/game.ts";
import { openStores } from "../harness/stores.ts";
import { until } from "../harness/until.ts";
import { ban, deletePlayer, shown, tick, unban, watch } from "./moderation-steps.ts";

const stores = openStores();
/** What docs/security.md promises; counted from the answer. */
const GONE_WITHIN_MS = 2_000;

/** Three players in one country, `cheat` first. */
async function gameWithCheat(): Promise<GameClient> {
  const game = await newGame();
  await game.submit({ player: "bob", points: 2_000, country: "DE" });
  await game.submit({ player: "cheat", points: 1_500, country: "FR" });
  await game.submit({ player: "cheat", points: 9_000, country: "DE" });
  await game.submit({ player: "eve", points: 1_000, country: "DE" });
  return game;
}

const WITH = {
  week: ["cheat", "bob", "eve"],
  country: ["cheat", "bob", "eve"],
  allTime: ["cheat", "bob", "eve"],
  feed: ["bob", "cheat", "eve"],
};
const WITHOUT = { week: ["bob", "eve"], country: ["bob", "eve"], allTime: ["bob", "eve"], feed: ["bob", "eve"] };

async function losesRedis(game: GameClient): Promise<void> {
  const keys = await stores.keys(game.id);
  await stores.redis.del(...keys);
  // The first reader of a lost game starts its rebuild.
  await game.top();
  await until(
    "the game is back in Redis",
    async () => {
      const { headers } = await call(`${game.base}/boards/current/top?n=${keys.length + 1}`, { key: null });
      return headers.get("edgeboard-source") === "redis";
    },
    30_000,
  );
}

describe("a banned player", () => {
  it("is gone from boards, feed, badges, room and Postgres when the answer is there", async () => {
    const game = await gameWithCheat();
    await tick();
    expect((await game.badges("cheat")).length).toBeGreaterThan(0);
    const viewer = await watch(game);
    await until("the room shows the cheat", () => viewer.top()[0] === "cheat");
    await ban(game, "cheat");
    await until(
      "no reader sees the cheat",
      async () => {
        const now = await shown(game);
        return JSON.stringify(now) === JSON.stringify(WITHOUT);
      },
      GONE_WITHIN_MS,
    );
    await until("the room closes up", () => viewer.top().join() === "bob,eve", GONE_WITHIN_MS);
    viewer.close();
    expect(await game.badges("cheat")).toEqual([]);
    problemOf(await call(`${game.base}/boards/current/players/cheat`), "not-ranked");
    expect((await game.top("current", { country: "FR" })).entries).toEqual([]);
    expect((await stores.bests(game.id)).map(({ player }) => player)).not.toContain("cheat");
  });

  it("stays away through a drain, a lost Redis, a rebuild and what they still send", async () => {
    const game = await gameWithCheat();
    await ban(game, "cheat");
    await tick();
    expect(await shown(game)).toEqual(WITHOUT);
    problemOf(await game.post({ player: "cheat", points: 9_999, country: "DE" }), "player-banned");
    await losesRedis(game);
    expect(await shown(game)).toEqual(WITHOUT);
    await tick();
    expect(await shown(game)).toEqual(WITHOUT);
    expect(await game.badges("cheat")).toEqual([]);
  });

  it("comes back with best and old time when the ban is lifted, also after a rebuild", async () => {
    const game = await gameWithCheat();
    const [before] = (await game.top()).entries;
    const [allTime] = (await game.top("all-time")).entries;
    await ban(game, "cheat");
    await losesRedis(game);
    await unban(game, "cheat");
    expect((await game.top()).entries[0]).toEqual(before);
    expect((await game.top("all-time")).entries[0]).toEqual(allTime);
    const { week, country, allTime: ever } = await shown(game);
    expect({ week, country, allTime: ever }).toEqual({ week: WITH.week, country: WITH.country, allTime: WITH.allTime });
    await tick();
    expect((await game.badges("cheat")).map(({ badge }) => badge)).toEqual(["bronze", "silver"]);
    await losesRedis(game);
    expect(await shown(game)).toEqual(WITH);
  });

  it("may be banned before they ever came, and twice, and be unbanned twice", async () => {
    const game = await newGame();
    for (let i = 0; i < 2; i++) {
      const noted = await call(`${game.base}/players/nobody%20yet/ban`, { method: "PUT" });
      expect(noted).toMatchObject({ status: 202, body: { player: "nobody yet", known: false } });
      expect(BanNoted.strict().parse(noted.body).detail).toContain("no submission of this player");
    }
    problemOf(await game.post({ player: "nobody yet", points: 1 }), "player-banned");
    await unban(game, "nobody yet");
    await unban(game, "nobody yet");
    expect((await game.post({ player: "nobody yet", points: 1 })).status).toBe(201);
  });

  it("gets no answer of an earlier success from a retry", async () => {
    const game = await newGame();
    await game.post({ player: "cheat", points: 5 }, "k");
    await ban(game, "cheat");
    problemOf(await game.post({ player: "cheat", points: 5 }, "k"), "player-banned");
    await unban(game, "cheat");
    expect(await game.post({ player: "cheat", points: 5 }, "k")).toMatchObject({ status: 200 });
  });

  it("does not come back with submissions that were on their way", async () => {
    const game = await newGame();
    await game.submit({ player: "bob", points: 10, country: "DE" });
    const burst = Array.from({ length: 40 }, (_, i) => game.post({ player: "cheat", points: 100 + i, country: "DE" }));
    await burst[5];
    await ban(game, "cheat");
    const answers = await Promise.all(burst);
    expect(answers.every(({ status }) => [201, 202, 403].includes(status))).toBe(true);
    expect((await stores.bests(game.id)).map(({ player }) => player)).not.toContain("cheat");
    await tick();
    await until("the cheat is gone", async () => (await shown(game)).week.join() === "bob", GONE_WITHIN_MS);
    expect((await shown(game)).feed).toEqual(["bob"]);
  });
});

describe("a deleted player", () => {
  it("is gone for good: stores, boards, feed, badges, drains, rebuilds, retries", async () => {
    const game = await gameWithCheat();
    await game.post({ player: "cheat", points: 1, country: "DE" }, "retry");
    await deletePlayer(game, "cheat");
    expect(await shown(game)).toEqual(WITHOUT);
    await tick();
    problemOf(await game.post({ player: "cheat", points: 1, country: "DE" }, "retry"), "player-deleted");
    await losesRedis(game);
    await tick();
    expect(await shown(game)).toEqual(WITHOUT);
    expect(await game.badges("cheat")).toEqual([]);
    for (const table of ["submissions", "bests", "badges", "moderation_log"]) {
      const { rows } = await stores.postgres.query(`select 1 from ${table} where game = $1 and player = 'cheat'`, [
        game.id,
      ]);
      expect(rows, table).toEqual([]);
    }
    problemOf(await call(`${game.base}/players/cheat/export`), "not-found");
  });

  it("may be unknown, and be deleted twice", async () => {
    const game = await newGame();
    await deletePlayer(game, "nobody");
    await deletePlayer(game, "nobody");
  });

  it("can have asked for their data before", async () => {
    const game = await gameWithCheat();
    await tick();
    const data = PlayerExport.strict().parse((await call(`${game.base}/players/cheat/export`)).body);
    expect(data.submissions.map(({ points }) => points)).toEqual([1_500, 9_000]);
    expect(data.bests.map(({ board, points }) => [board === "all-time", points])).toEqual([
      [false, 9_000],
      [true, 9_000],
    ]);
    expect(data.bests[0]).toMatchObject({ country: "DE", leftCountries: ["FR"] });
    expect(data.badges.map(({ badge }) => badge)).toEqual(["bronze", "silver"]);
    expect(data).toMatchObject({ player: "cheat", bannedAt: null, next: null });
  });
});

describe("moderation", () => {
  it("is logged with the key that asked", async () => {
    const game = await gameWithCheat();
    await ban(game, "cheat");
    await unban(game, "cheat");
    const { rows } = await stores.postgres.query(
      'select action, player, "by" from moderation_log where game = $1 order by id',
      [game.id],
    );
    expect(rows).toEqual([
      { action: "ban", player: "cheat", by: "env" },
      { action: "unban", player: "cheat", by: "env" },
    ]);
  });

  it("knows no games that do not exist", async () => {
    for (const [method, path] of [
      ["PUT", "players/ada/ban"],
      ["DELETE", "players/ada/ban"],
      ["DELETE", "players/ada"],
      ["GET", "players/ada/export"],
      ["GET", "held"],
      ["POST", "signing-key"],
      ["DELETE", "submissions/00000000-0000-7000-8000-000000000000"],
    ] as const) {
      problemOf(await call(`/v1/games/no-such-game/${path}`, { method }), "unknown-game");
    }
  });
});
