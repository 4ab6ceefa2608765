/**
 * Thousands of requests with a fixed seed, half of them to a game where only submissions can succeed, so that what is stored
 * there afterwards is exactly what was accepted. FUZZ_SEED replays a run, FUZZ_REQUESTS makes it longer.
 */
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { PROBLEM_TYPE_PREFIX } from "../../functions/contract/problem.ts";
import { call, freshGame, type Answer } from "../harness/api.ts";
import { openStores } from "../harness/stores.ts";
import { nextCase, SHAPES, type Case, type World } from "./cases.ts";
import { randomOf, STRANGE_TEXTS } from "./random.ts";
import { databaseKey, playerToken } from "../http/security-callers.ts";

const SEED = Number(process.env["FUZZ_SEED"] ?? 20_261_129);
const REQUESTS = Number(process.env["FUZZ_REQUESTS"] ?? (process.env["EDGEBOARD_LONG"] === "1" ? 100_000 : 5_000));
const AT_ONCE = 16;
const HANGS_AFTER_MS = 60_000;
const NEVER = "00000000-0000-7000-8000-000000000000";

const { postgres, submissions } = openStores();
const Accepted = z.object({ submissionId: z.string(), replayed: z.boolean() });
const Results = z.object({ results: z.array(z.unknown()) });

async function within(request: Case): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined;
  const hang = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("no answer")), HANGS_AFTER_MS);
  });
  return Promise.race([call(request.path, request.options), hang]).finally(() => clearTimeout(timer));
}

/** What is wrong with an answer, undefined when nothing is. */
function complaint(answer: Answer): string | undefined {
  if (answer.status >= 500) return `a ${answer.status}`;
  if (answer.status < 400) return undefined;
  const problem = z.object({ type: z.string(), status: z.number() }).safeParse(answer.body);
  if (!problem.success || problem.data.status !== answer.status) return "no problem document";
  return problem.data.type.startsWith(PROBLEM_TYPE_PREFIX) ? undefined : "an unknown type";
}

const acceptedIn = (body: unknown): string[] => {
  const results = Results.safeParse(body);
  return (results.success ? results.data.results : [body]).flatMap((one) => {
    const accepted = Accepted.safeParse(one);
    return accepted.success ? [accepted.data.submissionId] : [];
  });
};

/** Sends everything; complaints with what was sent, and the ids of all accepted submissions. */
async function storm(seed: number, requests: number, world: World, shapes: typeof SHAPES) {
  const random = randomOf(seed);
  const complaints: string[] = [];
  const accepted = new Set<string>();
  const statuses = new Map<number, number>();
  let sent = 0;
  const worker = async () => {
    while (sent < requests && complaints.length < 10) {
      const number = sent++;
      const request = nextCase(random, world, shapes);
      const answer = await within(request);
      for (const id of acceptedIn(answer.body)) accepted.add(id);
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      const wrong = complaint(answer);
      if (wrong !== undefined) {
        complaints.push(`#${number} ${wrong}: ${JSON.stringify(request)} → ${JSON.stringify(answer.body)}`);
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return { complaints, accepted, statuses: Object.fromEntries([...statuses].sort()) };
}

async function worldOf(game: string, scopes: readonly string[]): Promise<World> {
  const players = [
    "ada",
    "bob",
    "7",
    "007",
    "ünï",
    ...STRANGE_TEXTS.filter((text) => text.isWellFormed()).slice(2, 14),
  ];
  const { body } = await call(`/v1/games/${game}/scores`, { body: { player: "seed", points: 1 } });
  const { submissionId } = Accepted.parse(body);
  const key = await databaseKey(postgres, game, scopes);
  const keys = [key, key, key, key, key, await playerToken(game, "ada"), null, "x", "a.b.c", "eb_abcdefgh_"];
  return { game, players, submissionIds: [submissionId, NEVER], keys };
}

describe(`${REQUESTS} strange requests (FUZZ_SEED=${SEED})`, () => {
  it(
    "are answered, never with a 5xx, and leave behind exactly what was accepted",
    async () => {
      const game = await freshGame();
      const world = await worldOf(game, ["submit", "backdate"]);
      const { complaints, accepted, statuses } = await storm(SEED, REQUESTS / 2, world, SHAPES);
      console.log("fuzz without admin", statuses);
      expect(complaints).toEqual([]);
      expect(await submissions(game)).toBe(accepted.size + 1);
      const { rows } = await postgres.query(
        `select (select count(*) from players where game = $1)::int as players,
          (select count(distinct player) from submissions where game = $1)::int as submitters,
          (select count(*) from moderation_log where game = $1)::int as actions`,
        [game],
      );
      expect(rows).toEqual([{ players: rows[0].submitters, submitters: rows[0].submitters, actions: 0 }]);
      // Some of both, or the storm says nothing.
      expect(accepted.size).toBeGreaterThan(REQUESTS / 200);
      expect(statuses[422]).toBeGreaterThan(REQUESTS / 200);
    },
    30 * 60_000,
  );

  it(
    "may moderate and configure a game, and still get no 5xx",
    async () => {
      const world = await worldOf(await freshGame({ maxImprovement: 500 }), ["submit", "backdate", "admin"]);
      const { complaints, statuses } = await storm(SEED + 1, REQUESTS / 2, world, SHAPES);
      console.log("fuzz with admin", statuses);
      expect(complaints).toEqual([]);
    },
    30 * 60_000,
  );
});
