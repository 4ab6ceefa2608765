/** Decodes stream entries of the feed: `[[id, [field, value, …]], …]` (PLATFORM 2.5). */
import { z } from "zod";
import { pageOf } from "../../domain/page.ts";
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

/** A page of at most `n` entries, newest first, from a reply of up to one more. */
export function parseFeedPage(reply: unknown, n: number) {
  const { page, next } = pageOf(z.array(feedEntry).parse(reply), n);
  return { found: { events: page.map(({ event }) => event), next: next && next.id } };
}
