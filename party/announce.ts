/** Who is worth announcing: derived from two consecutive snapshots, so that no push has to carry it. */
import type { Entry } from "../functions/contract/boards.ts";
import type { AnnouncementMessage, TopMessage } from "../functions/contract/live.ts";

const PLACES = 10;

/**
 * Announcements of `after`, best place first: players whose points grew or who came in by a result of their own.
 * Nothing is announced when there was no board before (a start or a rebuild is not news), and a player who only moved
 * up because another was removed did nothing: such a player stands behind the old last place.
 */
export function announcementsBetween(before: TopMessage | undefined, after: TopMessage): AnnouncementMessage[] {
  if (!before || before.entries.length === 0) return [];
  const known = new Map(before.entries.map((entry) => [entry.player, entry]));
  const last = before.entries.length < PLACES ? undefined : before.entries.at(-1);
  return after.entries
    .filter((entry) => improved(entry, known.get(entry.player), last))
    .map((entry) => ({
      type: "announcement",
      version: after.version,
      player: entry.player,
      rank: entry.rank,
    }));
}

function improved(entry: Entry, before: Entry | undefined, last: Entry | undefined): boolean {
  if (before) return entry.points > before.points;
  if (!last || entry.points !== last.points) return !last || entry.points > last.points;
  return entry.achievedAt < last.achievedAt || (entry.achievedAt === last.achievedAt && comesFirst(entry, last));
}

/** Equal points in the same second go by player id, bytes descending. */
function comesFirst(a: Entry, b: Entry): boolean {
  const left = new TextEncoder().encode(a.player);
  const right = new TextEncoder().encode(b.player);
  const differs = left.findIndex((byte, index) => byte !== right[index]);
  if (differs === -1) return false;
  return (left[differs] ?? 0) > (right[differs] ?? -1);
}
