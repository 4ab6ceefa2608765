import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import type { FaultRule } from "../../local/http/faults.ts";
import { until } from "../harness/until.ts";
import { expectBoardsEqualPostgres, feedOf, submissionsOf } from "./boards.ts";
import { startWorld, type World } from "./world.ts";
import { weekOf } from "../../functions/domain/board/week.ts";
import { weekKey } from "../harness/board-keys.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
  // All at once, and each for one player: tests run beside each other.
  await world.fault("neon", statements.map(ruleOf));
  await world.fault("upstash", [...calls, ...unretried].map(ruleOf));
});

type Fault = Omit<FaultRule, "match" | "times">;
const POSTGRES_DEADLINE_MS = 5_000;
const REDIS_DEADLINE_MS = 2_000;

/** What can happen to one call; `delay` waits before executing, `delay-after` between executing and answering. */
const faults = (deadlineMs: number): [string, Fault][] => [
  ["is dropped before it is executed", { action: "drop-before" }],
  ["is dropped after it was executed", { action: "drop-after" }],
  ["is executed after the deadline", { action: "delay", delayMs: deadlineMs + 500 }],
  ["is answered after the deadline", { action: "delay-after", delayMs: deadlineMs + 500 }],
  ["is answered with an HTML page", { action: "html" }],
  ["is answered by something else in JSON", { action: "foreign" }],
  ["is answered with half a body", { action: "truncate" }],
  ["is answered with 429", { action: "status", status: 429 }],
  ["is answered with 503", { action: "status", status: 503 }],
];

type Case = { readonly what: string; readonly fault: Fault; readonly player: string };
const casesOf = (deadlineMs: number): Case[] =>
  faults(deadlineMs).map(([what, fault]) => ({ what, fault, player: randomUUID() }));
const ruleOf = ({ fault, player }: Case): FaultRule => ({ ...fault, match: player, times: 1 });

const statements = casesOf(POSTGRES_DEADLINE_MS);
const calls = casesOf(REDIS_DEADLINE_MS);
const unretried = casesOf(REDIS_DEADLINE_MS);
const games: string[] = [];
const boardOf = (game: string) => weekKey(game, weekOf(Date.now()));

async function newGame(): Promise<string> {
  const game = await world.newGame();
  games.push(game);
  return game;
}

/** In Postgres once, in the feed once, on every board right. */
async function expectExactlyOnce(game: string, submissionId: string): Promise<void> {
  await until(`the event of ${submissionId}`, async () => (await feedOf(world, game)).includes(submissionId));
  expect((await submissionsOf(world, game)).map(({ id }) => id)).toEqual([submissionId]);
  await expectBoardsEqualPostgres(world, game);
}

// In this order: the feeds are looked at again when every late call has arrived.
describe("outbound:", { shuffle: false }, () => {
  describe.concurrent("the submit statement", () => {
    it.for(statements)(
      "$what: 503 with Retry-After, and retries with the same key count exactly once",
      async ({ player }) => {
        const game = await newGame();
        const key = randomUUID();
        const first = await world.post(game, { player, points: 700, country: "DE" }, key);
        expect(first).toMatchObject({ status: 503, retryAfter: "1" });
        const { body } = await world.postUntilAccepted(game, { player, points: 700, country: "DE" }, key);
        expect(body).toMatchObject({ player, points: 700, rank: 1, boardSize: 1, ranked: true });
        await expectExactlyOnce(game, body.submissionId);
      },
    );
  });

  describe.concurrent("the call that ranks", () => {
    it.for(calls)("$what: 202 without a rank, and a retry is ranked exactly once", async ({ player }) => {
      const game = await newGame();
      const key = randomUUID();
      const first = await world.post(game, { player, points: 700, country: "DE" }, key);
      expect(first).toMatchObject({ status: 202, body: { ranked: false, rank: null, replayed: false } });
      const retried = await world.post(game, { player, points: 700, country: "DE" }, key);
      expect(retried).toMatchObject({ status: 200, body: { ranked: true, rank: 1, replayed: true } });
      await expectExactlyOnce(game, retried.body?.submissionId ?? "");
    });

    it.for(unretried)("$what: ranked after the response, although the client never retries", async ({ player }) => {
      const game = await newGame();
      const first = await world.post(game, { player, points: 700, country: "DE" }, randomUUID());
      expect(first.status).toBe(202);
      await expectExactlyOnce(game, first.body?.submissionId ?? "");
    });
  });

  describe("when every late call has arrived", () => {
    it("each feed still has its one event: late calls took their doubles back", async () => {
      expect(games).toHaveLength(statements.length + calls.length + unretried.length);
      for (const game of games) expect(await feedOf(world, game)).toHaveLength(1);
    });
  });

  /** Steps that load the library, in their order, by what only their requests contain. */
  const LOADING = [
    { step: "asking what is loaded", match: '"LIBRARYNAME"' },
    { step: "sending the text", match: "#!lua" },
  ];

  describe("loading the library into a Redis that lost it", () => {
    const cases = LOADING.flatMap(({ step, match }) =>
      faults(REDIS_DEADLINE_MS).map(([what, fault]) => ({ step, what, rule: { ...fault, match, times: 1 } })),
    );

    it.for(cases)("$step $what: nobody is refused, and the next submission loads it", async ({ rule }) => {
      const game = await newGame();
      await world.fault("upstash", [rule]);
      await world.redis.call("FUNCTION", "FLUSH");
      const first = await world.post(game, { player: "ann", points: 5 }, "first");
      // 201 if a call in the background of the test before ran into the fault instead of this one.
      expect([201, 202]).toContain(first.status);
      await until("the fault has hit", async () => (await world.faultsLeft("upstash")) === 0);
      const second = await world.post(game, { player: "bob", points: 9 }, "second");
      expect(second).toMatchObject({ status: 201, body: { rank: 1, ranked: true } });
      await until("both are ranked", async () => (await world.redis.zcard(boardOf(game))) === 2);
      await expectBoardsEqualPostgres(world, game);
    });
  });
});
