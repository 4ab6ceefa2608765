import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { newGame } from "../harness/game.ts";
import { stack } from "../harness/stack.ts";
import { openStores } from "../harness/stores.ts";
import { until } from "../harness/until.ts";
import { ban, deletePlayer, shown, tick } from "./moderation-steps.ts";

const { submissions, redis, postgres } = openStores();

/** Holds back the one call of the ranking library that names this player; by that it reaches Redis late. */
async function holdBack(player: string, delayMs: number): Promise<void> {
  const { origin } = new URL(stack().upstashUrl);
  const response = await fetch(`${origin}/__faults`, {
    method: "POST",
    body: JSON.stringify([{ match: player, action: "delay", delayMs, times: 1 }]),
  });
  expect(response.status).toBe(200);
}

describe("a submission that Postgres has and that reaches Redis after the moderator did", () => {
  for (const [action, moderate] of [
    ["ban", ban],
    ["deletion", deletePlayer],
  ] as const) {
    it(`does not outlive the ${action}`, async () => {
      const game = await newGame();
      await game.submit({ player: "bob", points: 10, country: "DE" });
      // The name tells the call apart from everybody else's on this stack.
      const cheat = `cheat-${randomUUID()}`;
      await holdBack(cheat, 1_500);
      const late = game.post({ player: cheat, points: 100, country: "DE" });
      await until("Postgres has it", async () => (await submissions(game.id)) === 2);
      await moderate(game, cheat);
      await late;
      const { board } = await game.top();
      await until("its call has arrived and was corrected", async () => {
        const entry = await redis.zscore(`lb:{${game.id}}:board:${board}`, cheat);
        return entry === null && (await shown(game)).feed.join() === "bob";
      });
      await tick();
      expect(await shown(game)).toEqual({ week: ["bob"], country: ["bob"], allTime: ["bob"], feed: ["bob"] });
    });
  }

  it("is forgotten as a correction when nothing can be on its way any more", async () => {
    const game = await newGame();
    await game.submit({ player: "ada", points: 10 });
    await ban(game, "ada");
    const left = async () => (await postgres.query("select 1 from corrections where game = $1", [game.id])).rowCount;
    await tick();
    expect(await left()).toBe(1);
    await postgres.query("update corrections set at = now() - interval '10 minutes' where game = $1", [game.id]);
    await tick();
    expect(await left()).toBe(0);
  });
});

describe("a tombstone", () => {
  it("ends after a day: the id is free, and nothing of it is left", async () => {
    const game = await newGame();
    await deletePlayer(game, "ada");
    await deletePlayer(game, "bob");
    await postgres.query("update players set deleted_at = now() - interval '25 hours' where game = $1", [game.id]);
    expect((await game.post({ player: "ada", points: 5 })).status).toBe(201);
    await deletePlayer(game, "eve");
    const { rows } = await postgres.query(
      "select player, deleted_at is not null as deleted from players where game = $1 order by player",
      [game.id],
    );
    expect(rows).toEqual([
      { player: "ada", deleted: false },
      { player: "eve", deleted: true },
    ]);
  });
});
