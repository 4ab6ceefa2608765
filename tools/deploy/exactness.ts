/**
 * Proves that a Redis keeps our scores to the last bit, in a game of its own. Upstash is not the redis-server that
 * the tests run on: a store that rounds a double, or a Lua that prints one otherwise, would reorder boards silently.
 */
import { randomBytes } from "node:crypto";
import type { Redis } from "@upstash/redis";
import { createBoardFiller } from "../../functions/adapters/redis/filler.ts";
import { createRanking } from "../../functions/adapters/redis/ranking.ts";
import { activityKey, boardKey, leaseKey, moderatedKey, playersKey } from "../../functions/adapters/redis/keys.ts";
import { ALL_TIME, type Board } from "../../functions/domain/board/board.ts";
import { MAX_POINTS, packScore, rangeOf } from "../../functions/domain/board/score.ts";
import { currentBoard } from "../../functions/domain/board/time.ts";
import type { Fill } from "../../functions/services/healing/ports.ts";
import type { RecordedSubmission } from "../../functions/services/submit/ports.ts";

type Place = { readonly points: number; readonly second: number };

/** First and last points whose all-time scores are, printed with all digits, too long for a 64-bit integer. */
const LONG_SCORES = [1_855_165_548, 1_883_242_495, 6_706_692_096, 6_734_769_042];

/** Neighbours at both ends and in the middle of a range, best first: a lost bit swaps two of them. */
function extremes(board: Board): Place[] {
  const { firstMs, lastMs } = rangeOf(board);
  const [first, last] = [firstMs / 1000, lastMs / 1000];
  const points = [MAX_POINTS, MAX_POINTS - 1, 2 ** 32, 2 ** 32 - 1, 1, 0, ...LONG_SCORES].toSorted((a, b) => b - a);
  return points.flatMap((value) => [first, first + 1, last - 1, last].map((second) => ({ points: value, second })));
}

/** ZADD of the number as text, ZSCORE as text: what the server itself makes of a double. */
async function storeComplaints(redis: Redis, scores: readonly number[], key: string): Promise<string[]> {
  const complaints: string[] = [];
  await redis.exec(["ZADD", key, ...scores.flatMap((score, i) => [String(score), `m${i}`])]);
  for (const [i, score] of scores.entries()) {
    const back = Number(await redis.exec(["ZSCORE", key, `m${i}`]));
    if (!Object.is(back, score)) complaints.push(`ZADD ${score} came back as ${back}`);
  }
  await redis.exec(["DEL", key]);
  return complaints;
}

/** A replay, so that it writes boards and no feed event. */
function submission(player: string, week: string, weekly: Place, allTime: Place, nowMs: number): RecordedSubmission {
  const best = ({ points, second }: Place) => {
    return { best: { points, achievedAtMs: second * 1000 }, previous: undefined, raised: true, submissionId: "" };
  };
  return {
    submissionId: "",
    player,
    week,
    points: weekly.points,
    submittedAtMs: weekly.second * 1000,
    country: undefined,
    leftCountries: [],
    replayed: true,
    ageMs: 0,
    nowUs: `${nowMs}000`,
    thisWeek: best(weekly),
    allTime: best(allTime),
    boardSize: 0,
    unverified: false,
  };
}

const spelled = (places: readonly Place[]) => places.map(({ points, second }) => `${points}@${second}`).join(" ");

/** The adapters over a client of the deployment's own; the library is taken to be loaded. */
function adaptersOf(redis: Redis) {
  const call = (name: string, keys: readonly string[], args: readonly string[]) =>
    redis.functions.call(name, [...keys], [...args]);
  const client = { call, read: call, command: (command: readonly [string, ...string[]]) => redis.exec([...command]) };
  return {
    ranking: createRanking(client, Date.now),
    filler: createBoardFiller(client, () => "deploy-check", Date.now),
  };
}

const fillOf = (board: Board, places: readonly Place[]): Fill => ({
  board,
  entries: places.map(({ points, second }, i) => ({ player: `p${i}`, points, achievedAtMs: second * 1000 })),
  removals: [],
});

/** Through our own library and adapters: encoded by Lua or, as a rebuild does, by us; ordered by Redis, decoded by Lua. */
async function libraryComplaints(redis: Redis, game: string, nowMs: number, weekly: Place[], allTime: Place[]) {
  const current = currentBoard(nowMs);
  const { ranking, filler } = adaptersOf(redis);
  const boards: [Board, readonly Place[]][] = [
    [current, weekly],
    [ALL_TIME, allTime],
  ];
  // The feed's key says that the game is whole, whatever it holds.
  await redis.exec(["MSET", activityKey(game), "1", moderatedKey(game), "1"]);
  const items = weekly.map((place, i) => submission(`p${i}`, current.name, place, allTime[i] ?? place, nowMs));
  const writers: [string, () => Promise<unknown>][] = [
    ["submitted", () => ranking.apply(game, items.toReversed(), [])],
    [
      "filled",
      () =>
        filler.fill(
          game,
          `${nowMs}000`,
          boards.map(([board, places]) => fillOf(board, places)),
        ),
    ],
  ];

  const complaints: string[] = [];
  for (const [written, write] of writers) {
    await redis.exec(["DEL", ...boards.map(([board]) => boardKey(game, board))]);
    await write();
    for (const [board, places] of boards) {
      const page = await ranking.top(game, board, places.length, undefined);
      const entries = page?.found.entries ?? [];
      const read = entries.map(({ points, achievedAtMs }) => ({ points, second: achievedAtMs / 1000 }));
      if (spelled(read) !== spelled(places)) {
        complaints.push(`${board.name}: ${written} ${spelled(places)}, read ${spelled(read)}`);
      }
    }
  }
  return complaints;
}

/** What this Redis gets wrong; empty when boards are exact. Takes the library to be loaded. */
export async function exactnessComplaints(redis: Redis, nowMs: number): Promise<string[]> {
  const game = `deploy-check-${randomBytes(6).toString("hex")}`;
  const current = currentBoard(nowMs);
  const [weekly, allTime] = [extremes(current), extremes(ALL_TIME)];
  const packed = (board: Board, places: readonly Place[]) =>
    places.map(({ points, second }) => packScore(board, { points, achievedAtMs: second * 1000 }));
  const scores = [...packed(current, weekly), ...packed(ALL_TIME, allTime)];
  const allTimeKey = boardKey(game, ALL_TIME);
  const ofWeek = [boardKey(game, current), playersKey(game, current.name), leaseKey(game, current.name)];
  const keys = [activityKey(game), allTimeKey, ...ofWeek];
  try {
    const stored = await storeComplaints(redis, scores, allTimeKey);
    return [...stored, ...(await libraryComplaints(redis, game, nowMs, weekly, allTime))];
  } finally {
    await redis.exec(["DEL", ...keys, moderatedKey(game)]);
  }
}
