/** What a board is, as a client defines it: which statistic, how it is folded, and in which periods. */
import { z } from "zod";
import { DEFAULT_VALUE, definitionProblems, RESERVED_BOARDS } from "../domain/board/definition.ts";
import { Schedule } from "./schedules.ts";

export const BOARD = /^[a-z][a-z0-9-]{0,31}$/;
export const BoardId = z
  .string()
  .regex(BOARD, "must be 1–32 of a–z, 0–9 and -, and begin with a letter")
  .refine((board) => !RESERVED_BOARDS.includes(board), `must not be one of ${RESERVED_BOARDS.join(", ")}`)
  .meta({
    id: "BoardId",
    description: `A board that the game defines. ${RESERVED_BOARDS.map((board) => `\`${board}\``).join(", ")} are taken.`,
    pattern: `^(?!(?:${RESERVED_BOARDS.join("|")})$)[a-z][a-z0-9-]{0,31}$`,
    example: "laps",
  });

export const STATISTIC = /^[a-z][A-Za-z0-9]{0,31}$/;
export const Statistic = z
  .string()
  .regex(STATISTIC, "must be 1–32 letters and digits, and begin with a small letter")
  .meta({ id: "Statistic", description: "A named number of a submission.", example: "lapMs" });

const Order = z.enum(["asc", "desc"]);

const Part = z
  .strictObject({ statistic: Statistic, order: Order.default("desc"), bits: z.int().min(1).max(53) })
  .meta({ id: "BoardPart", description: "One of several statistics that are compared one after the other." });

const Value = z
  .strictObject({
    min: z.number().default(DEFAULT_VALUE.min),
    max: z.number().default(DEFAULT_VALUE.max),
    decimals: z.int().min(0).max(9).default(DEFAULT_VALUE.decimals),
  })
  .meta({ description: "Values outside of these bounds, or with more decimal places, are refused." });

export const SEGMENT = /^[a-z][A-Za-z0-9]{0,15}$/;
export const SegmentName = z.string().regex(SEGMENT, "must be 1–16 letters and digits, and begin with a small letter");

const MOST_METADATA_BYTES = 4_096;

/** What PUT takes; a field that is left out gets its default. */
export const BoardDefinition = z
  .strictObject({
    title: z
      .string()
      .trim()
      .min(1)
      .max(64)
      // Postgres keeps neither U+0000 nor halves of characters.
      .refine((title) => title.isWellFormed() && !/\p{Cc}/u.test(title), "must be text without control characters")
      .optional(),
    statistic: Statistic.optional(),
    parts: z.array(Part).min(1).max(3).optional(),
    order: Order.default("desc").meta({ description: "`asc`: less is better." }),
    aggregation: z.enum(["best", "last", "sum", "count"]).default("best"),
    value: Value.default({ ...DEFAULT_VALUE }),
    tie: z.enum(["earliest", "id"]).default("earliest"),
    keyed: z
      .boolean()
      .default(false)
      .meta({ description: "A board for each level, song or map that submissions name." }),
    schedule: Schedule.default({ kind: "never" }),
    graceSeconds: z
      .int()
      .min(10)
      .max(604_800)
      .default(60)
      .meta({ description: "Submissions of a period that has ended count for so many seconds more." }),
    segments: z.array(SegmentName).max(3).default([]),
    metadata: z.strictObject({ maxBytes: z.int().min(0).max(MOST_METADATA_BYTES) }).default({ maxBytes: 0 }),
    answer: z
      .strictObject({ rank: z.boolean().default(true), segmentRanks: z.array(SegmentName).max(3).default([]) })
      .default({ rank: true, segmentRanks: [] })
      .meta({ description: "What a submission reads back; each rank costs one command." }),
    live: z.boolean().default(true).meta({ description: "Its top 10 is pushed to a room." }),
    retentionDays: z.int().min(1).max(366).default(35).meta({ description: "Days in Redis after a period's end." }),
    rewards: z.array(z.unknown()).max(0, "must be empty: rewards are not taken yet").default([]),
  })
  .superRefine((definition, context) => {
    for (const { path, detail } of definitionProblems(definition))
      context.addIssue({ code: "custom", path: [...path], message: detail });
  })
  .meta({ id: "BoardDefinition" });
export type BoardDefinition = z.infer<typeof BoardDefinition>;
