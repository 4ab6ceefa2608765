/** What is known of one player apart from boards. */
import { z } from "zod";
import { Instant, Points } from "./primitives.ts";

export const Badge = z
  .object({ badge: z.string(), threshold: Points, points: Points, awardedAt: Instant })
  .meta({ id: "Badge" });

export const BadgesResponse = z.object({ badges: z.array(Badge) }).meta({ id: "BadgesResponse" });
export type Badge = z.infer<typeof Badge>;
