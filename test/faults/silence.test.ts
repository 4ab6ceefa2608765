import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { until } from "../harness/until.ts";
import { expectBoardsEqualPostgres } from "./boards.ts";
import { LONG, startWorld, type Answer, type World } from "./world.ts";
import { allTimeKey } from "../harness/board-keys.ts";

const CLIENTS = 16;
const FROZEN_MS = LONG ? 60_000 : 8_000;
/** The first calls run into their deadlines, and tell the isolate that there is no answer. */
const FIRST_MS = 5_000;
const AT_ONCE_MS = 500;
const BANS = LONG ? 300 : 40;

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterEach(() => world.stack.component("redis")?.kill("SIGCONT"));

type Timed = Answer & { readonly ms: number; readonly sentMs: number };

async function timed(game: string, player: string, points: number): Promise<Timed> {
  const sentMs = performance.now();
  const answer = await world.post(game, { player, points }, randomUUID());
  return { ...answer, sentMs, ms: performance.now() - sentMs };
}

/** Clients that submit one score after the other until the time is over. */
async function submitFor(ms: number, game: string): Promise<Timed[]> {
  const endsMs = performance.now() + ms;
  const clients = Array.from({ length: CLIENTS }, async (_, n) => {
    const answers: Timed[] = [];
    while (performance.now() < endsMs) {
      answers.push(await timed(game, `player-${n}-${answers.length % 10}`, answers.length));
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    return answers;
  });
  return (await Promise.all(clients)).flat();
}

const logText = () => readFileSync(world.stack.logFile("worker"), "utf8");
const metrics = async () => (await world.call("/metrics")).text();

describe("while Redis is frozen", { shuffle: false }, () => {
  it(`${CLIENTS} clients go on at under ${AT_ONCE_MS} ms each after the first calls, and all is ranked after it`, async () => {
    const game = await world.newGame();
    await world.postUntilAccepted(game, { player: "before", points: 1 });
    world.stack.component("redis")?.kill("SIGSTOP");
    const frozenMs = performance.now();
    const answers = await submitFor(FROZEN_MS, game);
    const metricsThen = await metrics();
    world.stack.component("redis")?.kill("SIGCONT");

    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 202));
    const later = answers.filter(({ sentMs }) => sentMs > frozenMs + FIRST_MS);
    expect(later.length).toBeGreaterThan(CLIENTS * 2);
    expect(Math.max(...later.map(({ ms }) => ms))).toBeLessThan(AT_ONCE_MS);
    expect(metricsThen).toContain('edgeboard_given_up{dependency="redis"} 1');
    expect(metricsThen).toMatch(/^edgeboard_unranked_submissions\{cause="slow"\} \d{2,}$/m);
    expect(logText()).toMatch(/"event":"unranked","cause":"slow"/);
    expect(logText()).toMatch(/"event":"dependency","dependency":"redis","outcome":"given-up","reason":"slow"/);

    await until("Redis is asked again", async () => (await timed(game, "after", 1)).status === 201);
    expect(await metrics()).toContain('edgeboard_given_up{dependency="redis"} 0');
    await world.tick();
    await world.tick();
    const rows = await expectBoardsEqualPostgres(world, game);
    expect(rows.length).toBeGreaterThanOrEqual(answers.length + 2);
  });

  it("a reader gets the board from Postgres at once, and a tick after it finds Redis by itself", async () => {
    const game = await world.newGame();
    await world.postUntilAccepted(game, { player: "ann", points: 7 });
    world.stack.component("redis")?.kill("SIGSTOP");
    await submitFor(FIRST_MS, game);
    const sentMs = performance.now();
    const response = await world.call(`/v1/games/${game}/boards/current/players/ann`);
    expect(performance.now() - sentMs).toBeLessThan(AT_ONCE_MS);
    expect(response.headers.get("edgeboard-degraded")).toBe("true");
    world.stack.component("redis")?.kill("SIGCONT");
    await world.tick();
    await world.tick();
    await expectBoardsEqualPostgres(world, game);
  });

  it(`${BANS} bans take seconds, not minutes`, async () => {
    const game = await world.newGame();
    await world.postUntilAccepted(game, { player: "ann", points: 7 });
    await world.postTogether(
      game,
      Array.from({ length: BANS }, (_, n) => ({ player: `cheat-${n}`, points: 1_000 + n, country: "DE" })),
    );
    world.stack.component("redis")?.kill("SIGSTOP");
    const startedMs = performance.now();
    for (let n = 0; n < BANS; n += 1) {
      const { status } = await world.call(`/v1/games/${game}/players/cheat-${n}/ban`, { method: "PUT" });
      expect(status).toBe(204);
    }
    const ms = performance.now() - startedMs;
    world.stack.component("redis")?.kill("SIGCONT");
    // Three bans find out, at two deadlines each; the old way each of them took both.
    expect(ms).toBeLessThan(15_000 + BANS * 100);
    await until("Redis is asked again", async () => (await timed(game, "after", 1)).status === 201);
    const shown = async () => {
      await world.tick();
      return world.redis.zrevrange(allTimeKey(game), 0, -1);
    };
    await until("they are off the board", async () => (await shown()).join() === "ann,after", 60_000);
  });
});

describe("while Postgres does not answer", () => {
  it("submissions are refused at once with Retry-After after the first ones, and accepted soon after it", async () => {
    const game = await world.newGame();
    const player = "ann";
    await world.fault("neon", [{ action: "delay", delayMs: 30_000 }]);
    await Promise.all(Array.from({ length: 6 }, (_, n) => timed(game, player, n)));
    await until("it is given up", async () => (await timed(game, player, 0)).ms < AT_ONCE_MS, 12_000);
    for (let n = 0; n < 10; n += 1) {
      const answer = await timed(game, player, n);
      expect(answer).toMatchObject({ status: 503, retryAfter: "1" });
      expect(answer.ms).toBeLessThan(AT_ONCE_MS);
    }
    await world.fault("neon", []);
    await until("Postgres is asked again", async () => (await timed(game, player, 70)).status === 201, 8_000);
  });
});
