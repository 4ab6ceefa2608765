/** The activity feed, newest first. */
import { z } from "zod";
import { Instant, Player, Points, Rank, Week } from "./primitives.ts";

export const FeedQuery = z.object({
  n: z.coerce
    .number()
    .pipe(z.int().min(1).max(100))
    .default(20)
    .meta({ description: "Events of the page, at most 100.", example: 20 }),
  cursor: z
    .string()
    .regex(/^[1-9]\d{0,13}-\d{1,19}$/)
    .optional()
    .meta({ description: "`next` of the page before." }),
});

export const FeedEvent = z
  .object({
    submissionId: z.uuid(),
    player: Player,
    points: Points,
    best: Points,
    rank: Rank.nullable().meta({ description: "Place after the submission; null when it was ranked later." }),
    week: Week,
    submittedAt: Instant,
  })
  .meta({ id: "FeedEvent" });
export type FeedEvent = z.infer<typeof FeedEvent>;

export const FeedResponse = z
  .object({ events: z.array(FeedEvent), next: z.string().nullable() })
  .meta({ id: "FeedResponse" });
export type FeedResponse = z.infer<typeof FeedResponse>;
