/** Decodes stream entries of the feed: `[[id, [field, value, …]], …]` (PLATFORM 2.5). */
import { z } from "zod";
import type { FeedEvent } from "../../contract/feed.ts";

const fields = z
  .array(z.string())
  .transform((flat) => Object.fromEntries(flat.flatMap((name, i) => (i % 2 === 0 ? [[name, flat[i + 1] ?? ""]] : []))))
  .pipe(
    z.object({
      submission: z.string(),
      player: z.string(),
      points: z.string().transform(Number),
      best: z.string().transform(Number),
      rank: z.string().transform((rank) => (rank === "" ? null : Number(rank))),
      week: z.string(),
      at: z.string().transform(Number),
    }),
  );

/** An event as the library takes it. */
export const eventArgs = (event: FeedEvent): string[] => [
  event.submissionId,
  event.player,
  String(event.points),
  String(event.best),
  event.rank === null ? "" : String(event.rank),
  event.week,
  String(Date.parse(event.submittedAt)),
];

/** One entry, with its stream id. */
export const feedEntry = z.tuple([z.string(), fields]).transform(([id, event]) => ({
  id,
  event: {
    submissionId: event.submission,
    player: event.player,
    points: event.points,
    best: event.best,
    rank: event.rank,
    week: event.week,
    submittedAt: new Date(event.at).toISOString(),
  } satisfies FeedEvent,
}));

/** A page of at most `n` entries, newest first; `next` is null on the last one. */
export function parseFeedPage(reply: unknown, n: number) {
  const entries = z.array(feedEntry).parse(reply);
  const last = entries.at(-1);
  return {
    found: { events: entries.map(({ event }) => event), next: last && entries.length === n ? last.id : null },
  };
}
