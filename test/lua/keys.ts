/** Keys and weeks as the tests name them. Weeks lie ahead of any real clock: EXPIREAT is really applied. */

export type Week = {
  readonly label: string;
  /** Unix seconds. */
  readonly start: number;
  readonly expiry: number;
};

export type Board = {
  readonly key: string;
  /** Of the game: when a moderator last took something off its boards. */
  readonly moderated: string;
  readonly lease: string;
  /** Of a country's board: the week's, whose version it has. */
  readonly ranking: string | undefined;
  readonly players: string | undefined;
  readonly start: number | "";
  readonly expiry: number | "";
  /** Its top 10 is shown live. */
  readonly live: boolean;
};

const DAY = 86_400;

function week(label: string, monday: string): Week {
  const start = Date.parse(`${monday}T00:00:00Z`) / 1000;
  return { label, start, expiry: start + (7 + 35) * DAY };
}

export const WEEK = week("2050-W02", "2050-01-10");
export const NEXT_WEEK = week("2050-W03", "2050-01-17");
/** First and last second of the all-time score. */
export const ALL_TIME_FIRST = 1_704_067_200;
export const ALL_TIME_LAST = ALL_TIME_FIRST + 2 ** 30 - 1;

export function keysOf(game: string) {
  const prefix = `lb:{${game}}`;
  const moderated = `${prefix}:moderated`;
  const board = (of: Week): Board => ({
    key: `${prefix}:board:${of.label}`,
    moderated,
    lease: `${prefix}:board:${of.label}:push`,
    ranking: undefined,
    players: `${prefix}:players:${of.label}`,
    start: of.start,
    expiry: of.expiry,
    live: true,
  });
  const allTime: Board = {
    key: `${prefix}:board:all-time`,
    moderated,
    lease: moderated,
    ranking: undefined,
    players: undefined,
    start: "",
    expiry: "",
    live: true,
  };
  return {
    prefix,
    /** Lease and state of a rebuild. */
    rebuild: [`${prefix}:rebuild`, `${prefix}:rebuild:state`] as const,
    activity: `${prefix}:activity`,
    moderated,
    allTime,
    board,
    country: (of: Week, code: string): Board => ({
      ...board(of),
      key: `${board(of).key}:${code}`,
      players: undefined,
      ranking: board(of).key,
      live: false,
    }),
    /** In the order of submit's KEYS. */
    ofWeek: (of: Week): string[] => [board(of).key, board(of).key, board(of).lease],
    /** The last feed entry that was counted among the players of the week. */
    counted: (of: Week): string => `${prefix}:players:${of.label}:counted`,
  };
}
