/** Everything that is stored about one player, page by page: what a privacy request hands out. */
import { sql } from "drizzle-orm";
import { z } from "zod";
import type { PlayerExport } from "../../contract/moderation.ts";
import { ALL_TIME } from "../../domain/board/board.ts";
import { pageOf } from "../../domain/page.ts";
import type { PlayerFiles } from "../../services/moderation/ports.ts";
import { instantMs, type Postgres } from "./client.ts";

const iso = (ms: number) => new Date(ms).toISOString();
const jsonInstant = z.string().transform((text) => iso(Date.parse(text)));
const instant = instantMs.transform(iso);

const row = z.object({
  created_at: instant,
  banned_at: instant.nullable(),
  bests: z.array(
    z.object({
      board: z.string(),
      points: z.number(),
      achieved_at: jsonInstant,
      submission_id: z.string(),
      country: z.string().nullable(),
      left_countries: z.array(z.string()),
      segments: z.record(z.string(), z.string()).nullable(),
      left_segments: z.record(z.string(), z.array(z.string())).nullable(),
    }),
  ),
  badges: z.array(z.object({ badge: z.string(), threshold: z.number(), points: z.number(), awarded_at: jsonInstant })),
  submissions: z.array(
    z.object({
      id: z.string(),
      idempotency_key: z.string(),
      points: z.number().nullable(),
      values: z.record(z.string(), z.number()).nullable(),
      keys: z.record(z.string(), z.string()).nullable(),
      segments: z.record(z.string(), z.string()).nullable(),
      metadata: z.record(z.string(), z.unknown()).nullable(),
      country: z.string().nullable(),
      week: z.string(),
      state: z.enum(["ranked", "held", "rejected", "removed"]),
      submitted_at: jsonInstant,
      received_at: jsonInstant,
    }),
  ),
});

/** Keys of boards that games define have a period behind a dot. */
const isDefined = ({ board }: { readonly board: string }) => board.includes(".");

function toExport(game: string, player: string, found: z.infer<typeof row>, n: number): PlayerExport {
  const { page, next } = pageOf(found.submissions, n);
  return {
    game,
    player,
    createdAt: found.created_at,
    bannedAt: found.banned_at,
    bests: found.bests
      .filter((best) => !isDefined(best))
      .map((best) => ({
        board: best.board,
        points: best.points,
        achievedAt: best.achieved_at,
        submissionId: best.submission_id,
        country: best.country,
        leftCountries: best.left_countries,
      })),
    entries: found.bests.filter(isDefined).map((best) => ({
      board: best.board,
      achievedAt: best.achieved_at,
      submissionId: best.submission_id,
      segments: best.segments ?? {},
      leftSegments: best.left_segments ?? {},
    })),
    badges: found.badges.map(({ awarded_at, ...badge }) => ({ ...badge, awardedAt: awarded_at })),
    submissions: page.map((submission) => ({
      submissionId: submission.id,
      idempotencyKey: submission.idempotency_key,
      points: submission.points,
      values: submission.values,
      keys: submission.keys,
      segments: submission.segments,
      metadata: submission.metadata,
      country: submission.country,
      week: submission.week,
      state: submission.state,
      submittedAt: submission.submitted_at,
      receivedAt: submission.received_at,
    })),
    next: next && next.id,
  };
}

export function createPlayerFiles(postgres: Postgres): PlayerFiles {
  return {
    async read(game, player, n, after) {
      const [found] = await postgres.query(
        row,
        // Bests by the boards of the submissions: the primary key has the board before the player.
        sql`select p.created_at, p.banned_at,
            coalesce((select jsonb_agg(to_jsonb(b) order by b.board) from bests b
              where b.game = p.game and b.player = p.player and b.board in (
                select ${ALL_TIME.name} union select s.week from submissions s
                where s.game = p.game and s.player = p.player
                union select o.board from submissions s cross join lateral jsonb_object_keys(s.boards) o (board)
                where s.game = p.game and s.player = p.player)), '[]') as bests,
            coalesce((select jsonb_agg(to_jsonb(d) order by d.threshold) from badges d
              where d.game = p.game and d.player = p.player), '[]') as badges,
            coalesce((select jsonb_agg(to_jsonb(t) order by t.id) from (
              select s.* from submissions s where s.game = p.game and s.player = p.player
                and ${after === undefined ? sql`true` : sql`s.id > ${after}::uuid`} order by s.id limit ${n + 1}
            ) t), '[]') as submissions
          from players p where p.game = ${game} and p.player = ${player}
            and (p.deleted_at is null or p.deleted_at < now() - interval '1 day')`,
      );
      return found && toExport(game, player, found, n);
    },
  };
}
