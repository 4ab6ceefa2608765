/** Definitions as Postgres keeps them, in `boards` and, for submissions, in `games.boards`. */
import { z } from "zod";
import { BoardDefinition } from "../../contract/board-definitions.ts";
import { Schedule } from "../../contract/schedules.ts";
import type { DefinedBoard } from "../../services/definitions/ports.ts";
import { instantMs } from "./client.ts";

const Turn = z.object({ fromMs: z.int().nullable(), schedule: Schedule });

export const definedRow = z.object({
  board: z.string(),
  name: z.string(),
  revision: z.int(),
  rule: BoardDefinition,
  schedules: z.array(Turn),
  created_at: instantMs,
});

export const toDefined = (row: z.infer<typeof definedRow>): DefinedBoard => ({
  board: row.board,
  name: row.name,
  revision: row.revision,
  rule: row.rule,
  turns: row.schedules,
  createdAtMs: row.created_at,
});

const Order = z.enum(["asc", "desc"]);

/** functions/domain/board/compiled.ts */
export const CompiledBoard = z.object({
  id: z.string(),
  name: z.string(),
  revision: z.int(),
  statistic: z.string().nullable(),
  parts: z.array(z.object({ statistic: z.string(), order: Order, bits: z.int() })).nullable(),
  order: Order,
  aggregation: z.enum(["best", "last", "sum", "count"]),
  fold: z.enum(["best", "last", "rising", "total"]),
  zero: z.int(),
  most: z.int(),
  tie: z.enum(["earliest", "id"]),
  decimals: z.int(),
  low: z.int(),
  high: z.int(),
  keyed: z.boolean(),
  segments: z.array(z.string()),
  metadataBytes: z.int(),
  graceSeconds: z.int(),
  answer: z.object({ rank: z.boolean(), segmentRanks: z.array(z.string()) }),
  live: z.boolean(),
  retentionDays: z.int(),
  split: z.union([z.literal(33), z.literal(43), z.literal(53)]),
  schedules: z.array(Turn),
});
