/** How often a room may send: a budget of sends per second, shared by its audience. */

/** One send costs about 7 µs in the room, so this leaves it more than four fifths of its time. */
export const SENDS_PER_SECOND = 20_000;
/** However few watch, nobody needs more than 20 rounds a second. */
const MIN_ROUND_MS = 50;
/** Announcements never stretch a round's price beyond this; the top itself always goes out. */
const ANNOUNCED_ROUND_MS = 250;
const MAX_ANNOUNCEMENTS = 10;

/** Time that must pass after a round of `messages` to `audience` sockets. */
export function roundMs(audience: number, messages: number): number {
  return Math.max(MIN_ROUND_MS, Math.ceil((audience * messages * 1_000) / SENDS_PER_SECOND));
}

/** How many announcements a round may carry: all of them for a small audience, none for a huge one. */
export function announcementLimit(audience: number): number {
  const messages = Math.floor((SENDS_PER_SECOND * ANNOUNCED_ROUND_MS) / 1_000 / Math.max(1, audience));
  return Math.max(0, Math.min(MAX_ANNOUNCEMENTS, messages - 1));
}
