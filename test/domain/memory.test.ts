import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { serverKeyCaller } from "../../functions/adapters/auth/server-keys.ts";
import { createBreakers } from "../../functions/adapters/breakers.ts";
import { createDeps } from "../../functions/deps.ts";
import { parseEnv } from "../../functions/env.ts";
import { applyLater } from "../../functions/services/submit/apply-later.ts";
import { correctSoon } from "../../functions/services/moderation/correct.ts";
import type { RecordedSubmission } from "../../functions/services/submit/ports.ts";
import { rememberRanked } from "../../functions/services/submit/ranked-bests.ts";
import { rebuildSoon } from "../../functions/services/healing/rebuild.ts";
import { fits, note } from "../../functions/services/healing/trust.ts";
import { isBehind, noteVersion } from "../../functions/services/boards/seen-versions.ts";
import { rememberShards } from "../../functions/services/live/shards.ts";
import { TOPS } from "../../functions/services/boards/board-to-read.ts";
import { dropTops, generationOf } from "../../functions/services/boards/top-cache.ts";
import { DUMMY_VALUES } from "../deploy/dummy-values.ts";
import { ALL_TIME } from "../../functions/domain/board/board.ts";

/** Half of what an isolate has for everything. */
const BOUND_BYTES = 64_000_000;
/** Several times what any of the memories takes; the full size where time does not matter. */
const GAMES = process.env["EDGEBOARD_LONG"] === "1" ? 100_000 : 25_000;

setFlagsFromString("--expose-gc");
const collect: unknown = runInNewContext("gc");

function heapBytes(): number {
  if (typeof collect === "function") collect();
  return process.memoryUsage().heapUsed;
}

/** The Worker's dependencies; nothing that it would do after its response is done, so no store is asked. */
const deps = createDeps(parseEnv({ ...DUMMY_VALUES, REDIS_TARGET: "upstash" }), "local RELEASE = 1", {
  run: () => undefined,
  keep: () => undefined,
});

function submission(game: string): RecordedSubmission {
  const submissionId = crypto.randomUUID();
  const change = { best: { points: 5, achievedAtMs: 0 }, previous: undefined, raised: true, submissionId };
  return {
    submissionId,
    player: `player of ${game}`,
    points: 5,
    submittedAtMs: 0,
    week: "2026-W48",
    country: "DE",
    leftCountries: [],
    replayed: false,
    ageMs: 0,
    nowUs: "0",
    thisWeek: change,
    allTime: { ...change },
    boardSize: 1,
    unverified: true,
  };
}

function page(game: string, length = 100) {
  const entries = Array.from({ length }, (_, i) => ({
    rank: i + 1,
    competitionRank: i + 1,
    player: `player-${i}-of-${game}`,
    points: 1_000_000 - i,
    value: 1_000_000 - i,
    achievedAt: new Date(i).toISOString(),
  }));
  const period = { period: "2026-W48", startsAt: new Date(0).toISOString(), resetsAt: new Date(1).toISOString() };
  const named = { board: "2026-W48", country: null, ...period, state: "open" as const };
  const body = { ...named, boardSize: 100, version: "1", entries, next: null };
  return { body, source: { from: "redis" as const, degraded: false } };
}

test(`${GAMES} games, each with a top, a waiting submission and all else that is remembered, stay in their bounds`, async () => {
  const breakers = createBreakers();
  const keys = { environmentKey: undefined, now: () => Date.now(), find: () => Promise.resolve(undefined) };
  const before = heapBytes();
  let highest = 0;
  for (let n = 0; n < GAMES; n += 1) {
    const game = `game-${n}-with-a-rather-long-name`;
    TOPS.set(generationOf(game), "2026-W48:null", page(game, n % 10 === 0 ? 100 : 10), 0);
    const one = submission(game);
    applyLater(deps, game, [one], [], () => undefined);
    rememberRanked(one);
    rememberShards(game, 2, 0);
    rebuildSoon(deps, game);
    correctSoon(deps, game, one.player);
    breakers.roomOf(game);
    await serverKeyCaller(`eb_${String(n).padStart(8, "0")}_${"x".repeat(43)}`, keys);
    if (n % 10_000 === 0) highest = Math.max(highest, heapBytes() - before);
  }
  highest = Math.max(highest, heapBytes() - before);
  expect(highest).toBeLessThan(BOUND_BYTES);
});

test("submissions of one game alone that wait for Redis stay in their bounds too", () => {
  const before = heapBytes();
  for (let n = 0; n < GAMES; n += 1) applyLater(deps, "a-busy-game", [submission("a-busy-game")], [], () => undefined);
  expect(heapBytes() - before).toBeLessThan(BOUND_BYTES / 4);
});

test("a page is there for a second, and is dropped when it is not asked for any more", () => {
  const game = "a-quiet-game";
  TOPS.set(generationOf(game), "top", page(game), 1_000);
  expect(TOPS.get(generationOf(game), "top", 1_999)?.body.board).toBe("2026-W48");
  expect(TOPS.get(generationOf(game), "top", 2_000)).toBeUndefined();
  const before = heapBytes();
  for (let n = 0; n < 300; n += 1) TOPS.set(generationOf(`quiet-${n}`), "top", page(`quiet-${n}`), 10_000);
  const full = heapBytes();
  TOPS.set(generationOf(game), "top", page(game), 60_000);
  // Most of what the pages took is free again, by one that was kept much later.
  expect(heapBytes() - before).toBeLessThan((full - before) / 2);
});

test("a read that began before its game's pages were dropped brings nothing back", () => {
  const game = "a-changed-game";
  const generation = generationOf(game);
  dropTops(game);
  TOPS.set(generation, "top", page(game), 0);
  expect(TOPS.get(generationOf(game), "top", 1)).toBeUndefined();
});

test("what is known of a game that is asked for again and again outlives any number of other games", () => {
  const board = ALL_TIME;
  note("a-known-game", board, { size: 5 });
  noteVersion("a-known-game", "all-time", "5", 0);
  const kept = () =>
    !fits("a-known-game", board, { size: 4, first: undefined }) && isBehind("a-known-game", "all-time", "4", 1);
  for (let n = 0; n < 25_000 && kept(); n += 1) {
    note(`another-${n}`, board, { size: 1 });
    noteVersion(`another-${n}`, "all-time", "1", 0);
  }
  expect(kept()).toBe(true);
});
