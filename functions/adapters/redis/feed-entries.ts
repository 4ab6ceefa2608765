/** Decodes stream entries of the feed: `[[id, [field, value, …]], …]` (PLATFORM 2.5). */
import { z } from "zod";
import { pageOf } from "../../domain/page.ts";
import type { FeedEvent } from "../../contract/feed.ts";
import { replyOf } from "./words.ts";

/** Exact, and within what a date can be. */
const number = z
  .string()
  .regex(/^\d{1,15}$/)
  .transform(Number);

const fields = z
  .array(z.string())
  .transform((flat) => Object.fromEntries(flat.flatMap((name, i) => (i % 2 === 0 ? [[name, flat[i + 1] ?? ""]] : []))))
  .pipe(
    z.object({
      submission: z.string(),
      player: z.string(),
      points: number,
      best: number,
      rank: z.union([z.literal("").transform(() => null), number]),
      week: z.string(),
      at: number,
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

const anyEntry = z.tuple([z.string(), z.unknown()]);

/** A page of at most `n` entries, newest first, from a reply of up to one more; entries that are no events are left out. */
export function parseFeedPage(reply: unknown, n: number) {
  const { page, next } = pageOf(replyOf(z.array(anyEntry), reply), n);
  const events = page.flatMap((entry) => feedEntry.safeParse(entry).data?.event ?? []);
  return { found: { events, next: next && next[0] } };
}
