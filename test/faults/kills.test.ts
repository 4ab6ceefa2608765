import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import type { ComponentName } from "../../local/stack.ts";
import { until } from "../harness/until.ts";
import { expectBoardsEqualPostgres, expectNoDoubledEvents } from "./boards.ts";
import { LONG, startWorld, type Answer, type World } from "./world.ts";

const CLIENTS = 16;
const SUBMISSIONS = LONG ? 20_000 : 1_200;
const PLAYERS_OF_A_CLIENT = 25;
const ROUNDS = LONG ? 3 : 1;
const KILLED: readonly ComponentName[] = ["redis", "neon", "postgres", "upstash", "worker"];
const COUNTRIES = ["DE", "FR", undefined];
const MANY_MINUTES_MS = 900_000;

let world: World;
beforeAll(async () => {
  world = await startWorld();
});

type Sent = {
  readonly player: string;
  readonly points: number;
  readonly key: string;
  readonly answers: readonly Answer[];
};

/** Each client has players of its own, so that the order of a player's submissions is known. */
function startLoad(game: string) {
  const sent: Sent[] = [];
  const client = async (n: number) => {
    for (let i = 0; i < SUBMISSIONS / CLIENTS; i += 1) {
      const player = `player-${n}-${i % PLAYERS_OF_A_CLIENT}`;
      const country = COUNTRIES[Math.floor(i / PLAYERS_OF_A_CLIENT) % COUNTRIES.length];
      const points = Math.floor(Math.random() * 1_000_000);
      const submission = { player, points, ...(country === undefined ? {} : { country }) };
      const { key, answers } = await world.postUntilAccepted(game, submission, randomUUID(), 120_000);
      sent.push({ player, points, key, answers });
    }
  };
  const done = Promise.all(Array.from({ length: CLIENTS }, (_, n) => client(n)));
  return { sent, done };
}

/** What clients were told, against what Postgres holds in the end. */
async function expectNoContradiction(game: string, sent: readonly Sent[], ids: ReadonlySet<string>) {
  const { rows } = await world.postgres.query(
    "select player, points from bests where game = $1 and board = 'all-time'",
    [game],
  );
  const best = new Map(rows.map(({ player, points }) => [String(player), Number(points)]));
  for (const { player, points, answers } of sent) {
    const told = answers.flatMap(({ body }) => body ?? []);
    expect(new Set(told.map(({ submissionId }) => submissionId)).size).toBe(1);
    for (const answer of told) {
      expect(ids).toContain(answer.submissionId);
      expect(answer).toMatchObject({ player, points });
      expect(answer.allTime.best).toBeGreaterThanOrEqual(points);
      expect(answer.allTime.best).toBeLessThanOrEqual(best.get(player) ?? -1);
      expect(answer.ranked).toBe(answer.rank !== null);
      if (answer.rank !== null) expect(answer.rank).toBeLessThanOrEqual(answer.boardSize ?? 0);
    }
  }
}

describe(`${SUBMISSIONS} submissions of ${CLIENTS} clients with retries`, () => {
  it(
    `while ${KILLED.join(", ")} are killed ${ROUNDS} times each: all there exactly once, every board right after two ticks`,
    async () => {
      const game = await world.newGame();
      const { sent, done } = startLoad(game);
      const steps = ROUNDS * KILLED.length;
      for (let step = 0; step < steps; step += 1) {
        const share = ((step + 0.5) / (steps + 1)) * SUBMISSIONS;
        await until("enough was sent", () => sent.length >= share, MANY_MINUTES_MS);
        await world.kill(KILLED[step % KILLED.length] ?? "redis");
      }
      await done;
      await world.tick();
      await world.tick();

      const rows = await expectBoardsEqualPostgres(world, game);
      const ids = new Set(rows.map(({ id }) => id));
      expect(sent).toHaveLength(SUBMISSIONS);
      expect(ids.size).toBe(SUBMISSIONS);
      await expectNoContradiction(game, sent, ids);
      await expectNoDoubledEvents(world, game);
    },
    MANY_MINUTES_MS,
  );
});
