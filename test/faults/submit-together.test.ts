/** Submissions that share a statement, while statements, calls, clients and the Worker fail. */
import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import type { FaultRule } from "../../local/http/faults.ts";
import { expectBoardsEqualPostgres, submissionsOf } from "./boards.ts";
import { startWorld, type World } from "./world.ts";

const CLIENTS = 48;
const players = Array.from({ length: CLIENTS }, (_, i) => `p${String(i).padStart(2, "0")}`);

let world: World;
beforeAll(async () => {
  world = await startWorld();
});

/** Everyone submits at once, with a key of their own. */
const submitAll = (game: string) =>
  Promise.all(players.map((player, i) => world.post(game, { player, points: i * 10 }, `k-${player}`)));

type Endpoint = "neon" | "upstash";
/** The statement and the call of a submission. */
const SHARED: Record<Endpoint, string> = { neon: "from submit_scores_", upstash: "lb_submit_" };
const rules: [string, Endpoint, Omit<FaultRule, "match">][] = [
  ["its statement is lost on the way", "neon", { action: "drop-before", times: 1 }],
  ["the answer of its statement is lost", "neon", { action: "drop-after", times: 1 }],
  ["its statement is answered with half a body", "neon", { action: "truncate", times: 1 }],
  ["its statement is refused with 503", "neon", { action: "status", status: 503, times: 1 }],
  ["its call to Redis is lost on the way", "upstash", { action: "drop-before", times: 1 }],
  ["the answer of its call to Redis is lost", "upstash", { action: "drop-after", times: 1 }],
];

describe.sequential("one failure of a shared call", () => {
  it.each(rules)("is nobody else's: %s", async (_, endpoint, rule) => {
    const game = await world.newGame();
    // The first calls are of submissions that went alone; a later one is shared.
    await world.fault(endpoint, [{ ...rule, match: SHARED[endpoint], skip: 3 }]);
    const answers = await submitAll(game);
    await world.fault(endpoint, []);
    // A shared statement that failed was tried again by each of its submissions; one that went alone says 503 itself.
    const refused = answers.filter(({ status }) => status >= 300);
    expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 503));
    expect(refused.length).toBeLessThanOrEqual(1);
    // The one that was refused is new, all others are known.
    for (const [i, { status }] of (await submitAll(game)).entries())
      expect([answers[i]?.status === 503 ? 201 : 200, 202]).toContain(status);
    expect(await submissionsOf(world, game)).toHaveLength(CLIENTS);
    await world.tick();
    await expectBoardsEqualPostgres(world, game);
  });
});

describe.sequential("a shared statement", () => {
  it("is finished for those who stay when its leader and half of the others hang up", async () => {
    const game = await world.newGame();
    const hangUp = new AbortController();
    // The first to come lead: they leave while their statement is held up.
    await world.fault("neon", [{ match: game, action: "delay", delayMs: 300, times: 4 }]);
    const leave = players.slice(0, 24).map((player) =>
      world
        .call(`/v1/games/${game}/scores`, {
          method: "POST",
          body: JSON.stringify({ player, points: 1 }),
          signal: hangUp.signal,
        })
        .catch(() => undefined),
    );
    const stay = players.slice(24).map((player, i) => world.post(game, { player, points: 100 + i }, randomUUID()));
    await world.stats("neon");
    hangUp.abort();
    const answers = await Promise.all(stay);
    await Promise.all(leave);
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
    await world.tick();
    await expectBoardsEqualPostgres(world, game);
  });

  it("costs nobody a score when the Worker is killed in the middle of it", async () => {
    const game = await world.newGame();
    const submitting = players.map((player, i) => world.postUntilAccepted(game, { player, points: i }, `k-${player}`));
    await world.kill("worker");
    await Promise.all(submitting);
    expect(await submissionsOf(world, game)).toHaveLength(CLIENTS);
    await world.tick();
    await expectBoardsEqualPostgres(world, game);
  });
});

describe.sequential("a storm of clients that hang up", () => {
  it("does not keep those who are here waiting", async () => {
    const game = await world.newGame();
    const stormy = await world.newGame();
    for (let wave = 0; wave < 15; wave += 1) {
      await Promise.all(
        Array.from({ length: 100 }, async (_, i) => {
          const leaving = new AbortController();
          const body = JSON.stringify({ player: `gone-${wave}-${i}`, points: i });
          const sent = world.call(`/v1/games/${stormy}/scores`, { method: "POST", body, signal: leaving.signal });
          // Some leave before their request is read, others while their statement is under way.
          await Promise.race([sent, new Promise((resolve) => setTimeout(resolve, i))]).catch(() => undefined);
          leaving.abort();
          await sent.catch(() => undefined);
        }),
      );
    }
    const askedAt = performance.now();
    const read = await world.call(`/v1/games/${stormy}/boards/all-time/top?n=3`);
    const { status } = await world.post(game, { player: "here", points: 1 }, randomUUID());
    expect([read.status, status]).toEqual([200, 201]);
    expect(performance.now() - askedAt).toBeLessThan(2_000);
  });
});
