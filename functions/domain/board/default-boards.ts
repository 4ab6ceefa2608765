/** The boards of every game, as definitions. */
import type { BoardDefinition } from "../../contract/board-definitions.ts";
import { MAX_POINTS } from "./score.ts";

const OF_POINTS = {
  statistic: "points",
  order: "desc",
  aggregation: "best",
  tie: "earliest",
  keyed: false,
  live: true,
  value: { min: 0, max: MAX_POINTS, decimals: 0 },
  metadata: { maxBytes: 0 },
  // A backdated submission counts all the same.
  graceSeconds: 0,
  retentionDays: 35,
  rewards: [],
} satisfies Partial<BoardDefinition>;

export const DEFAULT_BOARDS = {
  weekly: {
    ...OF_POINTS,
    title: "Weekly",
    schedule: { kind: "week", firstDay: "monday", zone: "UTC", at: "00:00" },
    segments: ["country"],
    answer: { rank: true, segmentRanks: ["country"] },
  },
  "all-time": {
    ...OF_POINTS,
    title: "All time",
    schedule: { kind: "never" },
    segments: [],
    answer: { rank: true, segmentRanks: [] },
  },
} satisfies Record<string, BoardDefinition>;
export type DefaultBoard = keyof typeof DEFAULT_BOARDS;

export const isDefaultBoard = (board: string): board is DefaultBoard => board in DEFAULT_BOARDS;
