/** Examples of the OpenAPI document, typed by the contract: one that no longer fits does not compile. */
import type { z } from "zod";
import type {
  AroundResponse,
  BoardEntry,
  PlayersCountResponse,
  StandingResponse,
  TopResponse,
} from "../contract/boards.ts";
import type { BoardDefinition } from "../contract/board-definitions.ts";
import type { BoardResponse, BoardsResponse, PeriodsResponse } from "../contract/defined-boards.ts";
import type { FeedResponse } from "../contract/feed.ts";
import type { GameRequest, GameResponse } from "../contract/games.ts";
import type { LiveResponse } from "../contract/live.ts";
import type { BanNoted, HeldResponse, PlayerExport, SigningKeyResponse } from "../contract/moderation.ts";
import type { BadgesResponse } from "../contract/players.ts";
import type { BatchRequest, BatchResponse, ScoreRequest, ScoreResponse } from "../contract/scores.ts";
import { problemExample } from "./problem-example.ts";

const SUBMISSION = "019ade3c-6d3f-7a31-8f5d-0c6f0f6f9d11";
const WEEK = { week: "2026-W42", resetsAt: "2026-10-19T00:00:00.000Z" };
const AT = "2026-10-14T18:03:11.000Z";

const scoreRequest: z.input<typeof ScoreRequest> = { player: "ada", points: 1200, country: "DE" };

const accepted: ScoreResponse = {
  submissionId: SUBMISSION,
  game: "arena",
  player: "ada",
  points: 1200,
  submittedAt: AT,
  ...WEEK,
  country: "DE",
  improved: true,
  best: 1200,
  previousBest: 900,
  rank: 3,
  boardSize: 4812,
  countryRank: 1,
  allTime: { improved: false, best: 1500, rank: 17 },
  ranked: true,
  replayed: false,
};
const durable: ScoreResponse = {
  ...accepted,
  rank: null,
  boardSize: null,
  countryRank: null,
  allTime: { ...accepted.allTime, rank: null },
  ranked: false,
};

const batchRequest: z.input<typeof BatchRequest> = {
  submissions: [
    { player: "ada", points: 1200, country: "DE", idempotencyKey: "match-8841-ada" },
    { player: "bob", points: -1, idempotencyKey: "match-8841-bob" },
  ],
};
const batch: z.infer<typeof BatchResponse> = { results: [accepted, problemExample("invalid")] };

const ada: BoardEntry = { rank: 3, competitionRank: 2, player: "ada", points: 1200, value: 1200, achievedAt: AT };
const first = { ...ada, rank: 1, competitionRank: 1 };
const entries: BoardEntry[] = [
  { ...first, player: "mei", points: 1900, value: 1900, achievedAt: "2026-10-13T09:12:45.000Z" },
  { ...ada, rank: 2, player: "lin", achievedAt: "2026-10-14T11:40:02.000Z" },
  ada,
];
const week = {
  board: WEEK.week,
  period: WEEK.week,
  startsAt: "2026-10-12T00:00:00.000Z",
  resetsAt: WEEK.resetsAt,
  state: "open" as const,
};
const board = { ...week, country: null, boardSize: 4812 };
const top: TopResponse = {
  ...board,
  version: "100000003600001048575000000010",
  entries,
  next: "WzEyMDAsMTc5MjAwMDAwMDAwMCwiYWRhIl0",
};
const standing: StandingResponse = { ...ada, ...board, percentile: 99.96 };
const around: AroundResponse = { ...board, version: "100000003600001048575000000010", entry: ada, entries };
const playersCount: z.infer<typeof PlayersCountResponse> = { ...week, country: null, estimate: 4790, ranked: 4812 };
const event = { submissionId: SUBMISSION, player: "ada", points: 1200, best: 1200, rank: 3, week: WEEK.week };
const feed: FeedResponse = { events: [{ ...event, submittedAt: AT }], next: "1791999791000-0" };
const live: z.infer<typeof LiveResponse> = {
  ...WEEK,
  room: "arena_2026-W42",
  url: "wss://edgeboard.studio.partykit.dev/parties/main/arena_2026-W42",
};
const badges: z.infer<typeof BadgesResponse> = {
  badges: [{ badge: "bronze", threshold: 1000, points: 1200, awardedAt: "2026-10-14T18:04:00.000Z" }],
};

const gameRequest: z.input<typeof GameRequest> = {
  badges: [
    { badge: "bronze", threshold: 1000 },
    { badge: "silver", threshold: 5000 },
  ],
  maxPoints: 1_000_000,
  limits: { perPlayer: { submissions: 30, seconds: 60 } },
};
const game: z.infer<typeof GameResponse> = {
  game: "arena",
  badges: [
    { badge: "bronze", threshold: 1000 },
    { badge: "silver", threshold: 5000 },
  ],
  feedLength: 1000,
  maxPoints: 1_000_000,
  limits: { perPlayer: { submissions: 30, seconds: 60 } },
  signing: "nobody",
  shards: 1,
};

const lapsRequest: z.input<typeof BoardDefinition> = {
  title: "Fastest lap",
  statistic: "lapMs",
  order: "asc",
  value: { min: 0, max: 3_600_000, decimals: 0 },
  schedule: { kind: "day", zone: "Europe/Berlin", at: "04:00" },
  segments: ["country"],
};
const laps: BoardResponse = {
  board: "laps",
  default: false,
  title: "Fastest lap",
  statistic: "lapMs",
  order: "asc",
  aggregation: "best",
  value: { min: 0, max: 3_600_000, decimals: 0 },
  tie: "earliest",
  keyed: false,
  schedule: { kind: "day", zone: "Europe/Berlin", at: "04:00" },
  graceSeconds: 60,
  segments: ["country"],
  metadata: { maxBytes: 0 },
  answer: { rank: true, segmentRanks: [] },
  live: false,
  retentionDays: 35,
  rewards: [],
  createdAt: "2026-10-14T18:03:11.123Z",
};
const boards: BoardsResponse = { game: "arena", boards: [laps] };
const periods: PeriodsResponse = {
  board: "laps",
  periods: [
    { period: "2026-10-14", startsAt: "2026-10-14T02:00:00.000Z", endsAt: "2026-10-15T02:00:00.000Z", state: "open" },
    {
      period: "2026-10-15",
      startsAt: "2026-10-15T02:00:00.000Z",
      endsAt: "2026-10-16T02:00:00.000Z",
      state: "upcoming",
    },
  ],
};

const held: z.infer<typeof HeldResponse> = {
  held: [
    {
      submissionId: SUBMISSION,
      player: "eve",
      points: 999_999,
      best: 410,
      week: WEEK.week,
      country: null,
      submittedAt: AT,
    },
  ],
  next: null,
};
const banNoted: z.infer<typeof BanNoted> = {
  player: "eve",
  known: false,
  detail: "The game has no submission of this player. The ban is noted and refuses their first one.",
};
const player: PlayerExport = {
  game: "arena",
  player: "ada",
  createdAt: "2026-09-01T08:00:00.000Z",
  bannedAt: null,
  bests: [
    { board: WEEK.week, points: 1200, achievedAt: AT, submissionId: SUBMISSION, country: "DE", leftCountries: [] },
  ],
  entries: [{ board: "laps.2026-10-14", achievedAt: AT, submissionId: SUBMISSION, segments: {}, leftSegments: {} }],
  badges: badges.badges,
  submissions: [
    {
      submissionId: SUBMISSION,
      idempotencyKey: "match-8841-ada",
      points: 1200,
      values: { lapMs: 83_211 },
      keys: null,
      segments: null,
      metadata: null,
      country: "DE",
      week: WEEK.week,
      state: "ranked",
      submittedAt: AT,
      receivedAt: AT,
    },
  ],
  next: null,
};
const signingKey: z.infer<typeof SigningKeyResponse> = { key: 2, secret: "shown-once-and-never-again" };

const health = { status: "ok" };
const stream = { busyGames: 3, lookedAt: 3, missingGames: 0, unread: 12, pending: 0, cronAgeMs: 24_000 };
const ready = { status: "ok", dependencies: { postgres: "ok", redis: "ok" }, library: { worker: 9, redis: 9 }, stream };
const redisOut = { postgres: "ok", redis: "unavailable" };
const notReady = { status: "unavailable", dependencies: redisOut, library: { worker: 9, redis: null }, stream: null };

export type Examples = { readonly request?: unknown; readonly responses: Readonly<Record<string, unknown>> };

/** By operationId: a request body, and a response body by status. */
export const EXAMPLES: Readonly<Record<string, Examples>> = {
  submitScore: {
    request: scoreRequest,
    responses: { 200: { ...accepted, replayed: true }, 201: accepted, 202: durable },
  },
  submitBatch: { request: batchRequest, responses: { 200: batch } },
  top: { responses: { 200: top } },
  standing: { responses: { 200: standing } },
  around: { responses: { 200: around } },
  playersCount: { responses: { 200: playersCount } },
  listBoards: { responses: { 200: boards } },
  getBoard: { responses: { 200: laps } },
  putBoard: { request: lapsRequest, responses: { 200: laps, 201: laps } },
  listPeriods: { responses: { 200: periods } },
  feed: { responses: { 200: feed } },
  live: { responses: { 200: live } },
  badges: { responses: { 200: badges } },
  getGame: { responses: { 200: game } },
  putGame: { request: gameRequest, responses: { 200: game, 201: game } },
  banPlayer: { responses: { 202: banNoted } },
  listHeld: { responses: { 200: held } },
  exportPlayer: { responses: { 200: player } },
  nextSigningKey: { responses: { 201: signingKey } },
  healthz: { responses: { 200: health } },
  readyz: { responses: { 200: ready, 503: notReady } },
};
