/** The activity feed, newest first. */
import { z } from "zod";
import { countParameter, Instant, Player, Points, Rank, Week, orNull } from "./primitives.ts";

export const FeedQuery = z.strictObject({
  n: countParameter(1, 100, 20, "Events of the page, at most 100."),
  cursor: z
    .string()
    .regex(/^[1-9]\d{0,13}-\d{1,19}$/, "must be the `next` of an earlier page")
    .optional()
    .meta({ description: "`next` of the page before." }),
});

export const FeedEvent = z
  .object({
    submissionId: z.uuid(),
    player: Player,
    points: Points,
    best: Points,
    rank: orNull(Rank).meta({ description: "Place after the submission; null when it was ranked later." }),
    week: Week,
    submittedAt: Instant,
  })
  .meta({ id: "FeedEvent" });
export type FeedEvent = z.infer<typeof FeedEvent>;

export const FeedResponse = z
  .object({ events: z.array(FeedEvent), next: z.string().nullable() })
  .meta({ id: "FeedResponse" });
export type FeedResponse = z.infer<typeof FeedResponse>;
