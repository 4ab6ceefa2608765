import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { feedEntry } from "../../functions/adapters/redis/feed-entries.ts";
import { activityKey } from "../../functions/adapters/redis/keys.ts";
import { allTimeKey, countryKey, weekKey } from "../harness/board-keys.ts";
import { week } from "./damage.ts";
import { startWorld, type World } from "./world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

const PLAYERS = 45;
const ROUNDS = 3;
const MODERATORS = 24;
/** Each player is moderated in one of six ways; of every nine, three are left alone. */
const WAYS = 9;
const BANNED_AND_BACK = 3;
const COUNTRIES = ["DE", "FR", "US"];

const Results = z.object({ results: z.array(z.object({ submissionId: z.uuid(), player: z.string() })) });
const Best = z.object({ board: z.string(), player: z.string(), country: z.string().nullable() });
const Submission = z.object({ id: z.uuid(), player: z.string() });
const Left = z.object({ player: z.string() });

type Act = readonly [method: "PUT" | "DELETE", path: string];

/** Everybody plays in each round, from another country each time or from none; the submissions of each player. */
async function play(game: string): Promise<Map<string, string[]>> {
  const made = new Map<string, string[]>();
  for (let round = 0; round < ROUNDS; round++) {
    const submissions = Array.from({ length: PLAYERS }, (_, i) => ({
      player: `p${i}`,
      points: ((i * 37 + round * 911) % 9_000) + 1,
      country: [...COUNTRIES, null][(i + round) % 4],
      idempotencyKey: randomUUID(),
    }));
    const { results } = Results.parse(await world.api("POST", `/v1/games/${game}/scores/batch`, { submissions }));
    for (const { player, submissionId } of results) made.set(player, [...(made.get(player) ?? []), submissionId]);
  }
  return made;
}

/** What moderators do to a player with these submissions: each kind of act, and two of them after one another. */
function actsOn(player: string, [first = "", second = ""]: readonly string[], kind: number): readonly Act[] {
  const ban: Act = ["PUT", `players/${player}/ban`];
  const unban: Act = ["DELETE", `players/${player}/ban`];
  const erase: Act = ["DELETE", `players/${player}`];
  const remove = (id: string): Act => ["DELETE", `submissions/${id}`];
  const kinds = [[ban], [erase], [remove(first), remove(second)], [ban, unban], [remove(second), ban], [ban, erase]];
  return kinds[kind] ?? [];
}

/** Several moderators at once, each taking the next player; the statuses that they saw. */
async function moderate(game: string, made: ReadonlyMap<string, readonly string[]>): Promise<Set<number>> {
  const waiting = [...made].map(([player, submissions], i) => actsOn(player, submissions, i % WAYS));
  const statuses = new Set<number>();
  const moderator = async () => {
    for (let acts = waiting.pop(); acts !== undefined; acts = waiting.pop())
      for (const [method, path] of acts) statuses.add((await world.ask(method, `/v1/games/${game}/${path}`)).status);
  };
  await Promise.all(Array.from({ length: MODERATORS }, moderator));
  return statuses;
}

/** Players whose ban was lifted: their events may be gone from the feed, and are not brought back. */
const returned = new Set(
  Array.from({ length: PLAYERS }, (_, i) => i)
    .filter((i) => i % WAYS === BANNED_AND_BACK)
    .map((i) => `p${i}`),
);

/** Who is on each board, and which submissions of all but the returned players are in the feed, by Redis. */
async function held(game: string) {
  const members = async (key: string) => (await world.redis.zrange(key, "0", "-1")).toSorted();
  const countries = COUNTRIES.map(async (code) => [code, await members(countryKey(game, week(), code))] as const);
  const feed = await world.redis.xrange(activityKey(game), "-", "+");
  return {
    week: await members(weekKey(game, week())),
    allTime: await members(allTimeKey(game)),
    countries: Object.fromEntries(await Promise.all(countries)),
    feed: feed
      .map((entry) => feedEntry.parse(entry).event)
      .flatMap(({ player, submissionId }) => (returned.has(player) ? [] : [submissionId]))
      .toSorted(),
  };
}

/** The same by Postgres. */
async function deserved(game: string): Promise<Awaited<ReturnType<typeof held>>> {
  const bests = await world.rows(Best, "select board, player, country from bests where game = $1 and points >= 0", [
    game,
  ]);
  const players = (on: (best: z.infer<typeof Best>) => boolean) =>
    bests
      .filter(on)
      .map(({ player }) => player)
      .toSorted();
  const ranked = await world.rows(Submission, "select id, player from ranked_submissions where game = $1", [game]);
  return {
    week: players(({ board }) => board === week()),
    allTime: players(({ board }) => board === "all-time"),
    countries: Object.fromEntries(
      COUNTRIES.map((code) => [code, players(({ board, country }) => board === week() && country === code)]),
    ),
    feed: ranked.flatMap(({ id, player }) => (returned.has(player) ? [] : [id])).toSorted(),
  };
}

describe("a wave of bans, deletions and removals in an outage of four minutes", () => {
  it.each([
    ["loses the answers of Redis", "drop-after"],
    ["puts answers of another service in their place", "foreign"],
    ["loses the calls", "drop-before"],
    ["cuts the answers off", "truncate"],
    ["puts a web page in their place", "html"],
  ] as const)("that %s is on every board and in the feed after two ticks, and nothing else is", async (_, action) => {
    const game = await world.game();
    const made = await play(game);
    await world.tick();
    await world.upstash.faults([{ action }]);
    expect([...(await moderate(game, made))]).toEqual([204]);
    await world.upstash.faults([]);
    await world.postgres.query("update corrections set at = at - interval '4 minutes' where game = $1", [game]);
    await world.run((deps) => deps.awaitStores());
    await world.tick();
    await world.tick();
    expect(await held(game)).toEqual(await deserved(game));
    expect(await world.rows(Left, "select player from corrections where game = $1", [game])).toEqual([]);
  });
});
