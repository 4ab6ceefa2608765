/** How often a room may send: a budget of sends per second, shared by its audience. */

/**
 * A send costs 7 µs in the room, but 35 µs and more until the viewer has it where room, network and viewers share two
 * cores: half of that machine at most.
 */
export const SENDS_PER_SECOND = 10_000;
/** However few watch, more than 20 rounds a second help no viewer. */
const MIN_ROUND_MS = 50;
/** A room that comes late to its rounds is short of air and gets more, up to this. */
const MAX_RELIEF_MS = 1_000;
const MAX_ANNOUNCEMENTS = 10;

/** Time between a round of `messages` to `audience` sockets and the next one; `lagMs`: how late this one was. */
export function roundMs(audience: number, messages: number, lagMs: number): number {
  return Math.max(MIN_ROUND_MS, priceMs(audience, messages)) + Math.min(MAX_RELIEF_MS, 2 * lagMs);
}

/**
 * How many announcements a round may carry beside the board: as many as leave room for four rounds a second; for
 * an audience that is too large for that, one once in a while, for at most a tenth of the budget.
 */
export function announcementLimit(audience: number, sinceLastMs: number): number {
  const affordable = Math.floor(250 / priceMs(Math.max(1, audience), 1)) - 1;
  const once = sinceLastMs >= Math.max(2_000, 10 * priceMs(audience, 1)) ? 1 : 0;
  return Math.min(MAX_ANNOUNCEMENTS, Math.max(affordable, once));
}

/** How many badges a round may carry: for at most a quarter of a second's budget, one in any case. */
export function badgeLimit(audience: number): number {
  return Math.max(1, Math.floor(SENDS_PER_SECOND / 4 / Math.max(1, audience)));
}

function priceMs(audience: number, messages: number): number {
  return Math.ceil((audience * messages * 1_000) / SENDS_PER_SECOND);
}
