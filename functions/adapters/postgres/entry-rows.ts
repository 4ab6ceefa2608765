/** Rows of `bests` that are entries of a board which a game defined, in the order of `bests_order`; and versions made of them. */
import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import type { RawEntry } from "../../domain/board/board.ts";
import { changesVersionOf, packedVersionOf } from "../../domain/board/packed-version.ts";
import { lastTickOf } from "../../domain/board/packing.ts";
import { givenTo, type Part, type PeriodBoard } from "../../domain/board/period-board.ts";

export const inOrder = sql`order by b.points desc, b.achieved_at, b.player desc`;

/** `points >= 0` says that the rows may be read by `bests_order` (drizzle/schema/bests.ts). */
export function onBoard(game: string, key: string, part: Part | undefined): SQL {
  const whole = sql`b.game = ${game} and b.board = ${key} and b.points >= 0`;
  return part ? sql`${whole} and b.segments ->> ${part.segment} = ${part.value}` : whole;
}

/** A query of one number. Sizes of parts are not kept, so those are counted. */
export function sizeOf(game: string, key: string, part: Part | undefined): SQL {
  if (part) return sql`select count(*) as n from bests b where ${onBoard(game, key, part)}`;
  return sql`select coalesce(sum(z.players), 0)::bigint as n from board_sizes z where z.game = ${game} and z.board = ${key}`;
}

export function below({ points, achievedAtMs, player }: RawEntry): SQL {
  const at = new Date(achievedAtMs).toISOString();
  return sql`b.points <= ${points} and (b.points < ${points} or b.achieved_at > ${at}::timestamptz
    or (b.achieved_at = ${at}::timestamptz and b.player < ${player}))`;
}

/** Entries b that are ahead of the entry f. */
export const AHEAD = sql`b.points >= f.points and (b.points > f.points or b.achieved_at < f.achieved_at
  or (b.achieved_at = f.achieved_at and b.player > f.player))`;

/** The first ten of a board given by `raise`, or all entries of one given by `newer`, summed up. `ms`: since the period began. */
export const summedRow = z.object({
  entries: z.int(),
  strengths: z.string().transform(BigInt),
  ms: z.string().transform(BigInt),
  reached: z.int(),
});

/** A query of one value of that shape, of the whole board; of one given by `newer` it reads every entry. */
export function summedOf(game: string, board: PeriodBoard): SQL {
  const whole = onBoard(game, board.key, undefined);
  const starts = sql`${new Date(board.packing.startsAtMs).toISOString()}::timestamptz`;
  // Intervals are added several times as fast as numbers.
  const ms = (from: SQL) =>
    sql`'ms', (extract(epoch from coalesce(sum(${from}.achieved_at - ${starts}), '0')) * 1000)::bigint::text`;
  if (givenTo(board) === "newer")
    return sql`select json_build_object('entries', count(*), 'strengths', '0', 'reached', 0, ${ms(sql`b`)}) from bests b where ${whole}`;
  return sql`with t as materialized (select b.points, b.achieved_at from bests b where ${whole} ${inOrder} limit 10)
    select json_build_object('entries', count(*), 'strengths', coalesce(sum(t.points), 0)::text, ${ms(sql`t`)},
      'reached', (select count(*) from bests b, (select t.* from t order by t.points, t.achieved_at desc limit 1) f
        where ${whole} and b.points >= f.points and (b.points > f.points or b.achieved_at <= f.achieved_at))) from t`;
}

/** The version as Redis would make it. */
export function versionOfRows(board: PeriodBoard, moderated: string, summed: z.infer<typeof summedRow>): string {
  const { packing } = board;
  const { entries, strengths, ms, reached } = summed;
  const ticks = ms / BigInt(packing.unitMs);
  if (givenTo(board) === "newer") return changesVersionOf({ moderated, entries, changes: ticks + BigInt(entries) });
  const inverted = packing.timed ? entries * lastTickOf(packing) - Number(ticks) : 0;
  return packedVersionOf({ moderated, entries, strengths, inverted, reached }, packing.split);
}
