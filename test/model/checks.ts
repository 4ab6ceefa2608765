/** Compares what the system shows with what the model says. */
import { expect } from "vitest";
import type { BoardEntry } from "../../functions/contract/boards.ts";
import { playersKey } from "../../functions/adapters/redis/keys.ts";
import { allTimeScore, weeklyScore } from "../../functions/domain/board/score.ts";
import { startOf, weekExpiry } from "../../functions/domain/board/week.ts";
import { call } from "../harness/api.ts";
import type { GameClient } from "../harness/game.ts";
import type { openStores } from "../harness/stores.ts";
import { until } from "../harness/until.ts";
import { boardOf, countryIn, windowOf, type Place } from "./model.ts";
import { COUNTRIES } from "./plan.ts";
import type { World } from "./world.ts";
import { allTimeKey, countryKey, weekKey } from "../harness/board-keys.ts";

type Stores = ReturnType<typeof openStores>;

/** Healing takes a fraction of a second, but a rebuild that a busy machine breaks off waits for its lease. */
const HEALING_MS = 180_000;
const CORRECTED_MS = 20_000;
const REAL_COUNTRIES = COUNTRIES.filter((country) => country !== "XX");

/** Every board of the model by its Redis key, lowest place first as a sorted set has it, with packed scores. */
function expectedSets(game: string, { rows, weeks }: World): Map<string, [player: string, score: number][]> {
  const sets = new Map<string, [string, number][]>();
  const set = (key: string, places: readonly Place[], scoreOf: (place: Place) => number) =>
    sets.set(
      key,
      places.toReversed().map((place) => [place.player, scoreOf(place)]),
    );
  for (const week of weeks) {
    const scoreOf = (place: Place) => weeklyScore(place.points, place.second - startOf(week) / 1000);
    set(weekKey(game, week), boardOf(rows, week), scoreOf);
    for (const country of REAL_COUNTRIES) set(countryKey(game, week, country), boardOf(rows, week, country), scoreOf);
  }
  set(allTimeKey(game), boardOf(rows, "all-time"), (place) => allTimeScore(place.points, place.second));
  return sets;
}

/** Runs a check; after moderation until it holds, because corrections go on for three seconds after the answer. */
export async function settled(world: World, check: () => Promise<void>): Promise<void> {
  if (!world.moderated) return check();
  let problem: unknown;
  const holds = async () => {
    try {
      await check();
      return true;
    } catch (error) {
      problem = error;
      return false;
    }
  };
  await until("corrected", holds, CORRECTED_MS).catch(() => {
    throw problem;
  });
}

/** Members and scores of sorted sets, as Redis prints them. */
async function readSets(stores: Stores, keys: readonly string[]): Promise<string[][]> {
  return Promise.all(keys.map((key) => stores.redis.zrange(key, 0, "-1", "WITHSCORES")));
}

/** Redis and Postgres hold exactly the model's boards: members, order, scores and countries. */
export async function checkStores(game: GameClient, stores: Stores, world: World): Promise<void> {
  const expected = expectedSets(game.id, world);
  const [sets, bests] = await Promise.all([readSets(stores, [...expected.keys()]), stores.bests(game.id)]);
  for (const [i, [key, members]] of [...expected].entries()) {
    const flat = sets[i] ?? [];
    const pairs = flat.flatMap((value, at) => (at % 2 === 0 ? [[value, Number(flat[at + 1])]] : []));
    expect(pairs, key).toEqual(members);
  }
  const { rows } = world;
  const sizes = ["all-time", ...world.weeks].map((board) => [board, boardOf(rows, board).length] as const);
  expect(await stores.boardSizes(game.id)).toEqual(Object.fromEntries(sizes.filter(([, size]) => size > 0)));
  const found = bests.map((row) => [row.board, row.player, row.points, row.achieved_at.getTime() / 1000, row.country]);
  expect(found).toEqual(
    ["all-time", ...world.weeks].toSorted().flatMap((board) =>
      boardOf(rows, board).map(({ player, points, second }) => {
        const country = board === "all-time" ? undefined : countryIn(rows, board, player);
        return [board, player, points, second, country ?? null];
      }),
    ),
  );
}

const asEntries = (places: readonly Place[]): BoardEntry[] =>
  places.map(({ second, ...place }) => ({
    ...place,
    value: place.points,
    achievedAt: new Date(second * 1000).toISOString(),
  }));

/** A board from top to bottom, through the API. */
export async function checkTop(game: GameClient, { rows }: World, board: string, country?: string): Promise<void> {
  const places = boardOf(rows, board, country);
  const top = await game.top(board, { n: 100, ...(country === undefined ? {} : { country }) });
  expect({ entries: top.entries, boardSize: top.boardSize, next: top.next }).toEqual({
    entries: asEntries(places),
    boardSize: places.length,
    next: null,
  });
}

/** The window of 2k+1 around a player, if they are on the board. */
export async function checkAround(game: GameClient, { rows }: World, board: string, player: string, k: number) {
  const places = boardOf(rows, board);
  const place = places.find((one) => one.player === player);
  if (!place) return;
  const around = await game.around(player, { k }, board);
  expect(around.entries).toEqual(asEntries(windowOf(places, player, k)));
  expect([around.entry]).toEqual(asEntries([place]));
}

/** A player's own entry, if they are on the board. */
export async function checkStanding(game: GameClient, { rows }: World, board: string, player: string): Promise<void> {
  const places = boardOf(rows, board);
  const place = places.find((one) => one.player === player);
  if (!place) return;
  const { rank, competitionRank, points, value, achievedAt, percentile } = await game.standing(player, board);
  expect([{ rank, competitionRank, player, points, value, achievedAt }]).toEqual(asEntries([place]));
  expect(percentile).toBeCloseTo(((places.length - place.rank + 1) / places.length) * 100, 1);
}

/** Every board through the API, with the number of its players, and the feed. */
export async function checkWholeApi(game: GameClient, world: World): Promise<void> {
  for (const board of ["all-time", ...world.weeks]) {
    const countries = board === "all-time" ? [undefined] : [undefined, ...REAL_COUNTRIES];
    for (const country of countries) await checkTop(game, world, board, country);
    const someone = boardOf(world.rows, board)[0]?.player ?? "a";
    await checkAround(game, world, board, someone, 2);
    await checkStanding(game, world, board, someone);
    const size = boardOf(world.rows, board).length;
    const { estimate, ranked } = await game.count(board);
    expect(ranked).toBe(size);
    if (world.estimateIsSure) expect(estimate).toBe(size);
  }
  await checkFeed(game, world);
}

/** The newest events are the newest submissions that count, in their order. */
export async function checkFeed(game: GameClient, world: World): Promise<void> {
  const { events } = await game.feed({ n: 20 });
  const shown = events.map(({ submissionId, player, points, week }) => [submissionId, player, points, week]);
  const all = (world.feedIsSure ? world.feed : world.rows).map((row) => [
    row.submissionId,
    row.player,
    row.points,
    row.week,
  ]);
  if (world.feedIsSure) expect(shown).toEqual(all.slice(-20).toReversed());
  else for (const event of shown) expect(all).toContainEqual(event);
}

/** Every weekly key that exists ends 35 days after its week. */
async function checkExpiries(game: GameClient, stores: Stores, { weeks }: World): Promise<void> {
  for (const week of weeks) {
    const keys = [weekKey(game.id, week), playersKey(game.id, week)];
    for (const country of REAL_COUNTRIES) keys.push(countryKey(game.id, week, country));
    for (const key of keys) {
      const expiry = await stores.redis.expiretime(key);
      if (expiry !== -2) expect(expiry, key).toBe(weekExpiry(week) / 1000);
    }
  }
}

/** Takes every key of the game from Redis: what comes back by itself is the same, byte for byte. */
export async function healFromNothing(game: GameClient, stores: Stores, world: World): Promise<void> {
  await checkExpiries(game, stores, world);
  const keys = [...expectedSets(game.id, world).keys()];
  const before = await readSets(stores, keys);
  const all = await stores.keys(game.id);
  if (all.length > 0) await stores.redis.unlink(all);
  await until(
    "Redis has the game again",
    async () => {
      // Not top: its pages may be a second old.
      const answer = await call(`${game.base}/boards/all-time/players-count`, { key: null });
      return answer.headers.get("edgeboard-source") === "redis";
    },
    HEALING_MS,
  );
  world.healed();
  await settled(world, async () => expect(await readSets(stores, keys)).toEqual(before));
  await checkExpiries(game, stores, world);
  await settled(world, () => checkFeed(game, world));
}
