/** What Redis must hold: facts_of_game_v1 (drizzle/functions). */
import { sql } from "drizzle-orm";
import { z } from "zod";
import { boardOf, labelOf } from "../../domain/board/board.ts";
import type { FactStore } from "../../services/healing/inspection-ports.ts";
import type { Postgres } from "./client.ts";
import { partsOf, segmentsColumn } from "./entry-parts.ts";

/** More of them are not counted, so that nothing can be said about sizes. */
const MOST_PENDING = 1_000;

const factsRow = z.object({
  pending: z.int(),
  moderated: z.string(),
  moderating: z.boolean(),
  newest_verified: z.string().nullable(),
  newest: z.string().nullable(),
  sizes: z.array(z.tuple([z.string(), z.string(), z.int().nullable()])),
  entries: z.array(
    z.tuple([
      z.string(),
      z.string(),
      z.int().nullable(),
      z.int().nullable(),
      z.string().nullable(),
      z.boolean().nullable(),
    ]),
  ),
});

const entryFactsRow = z.object({
  sizes: z.array(z.tuple([z.string(), z.int()])),
  entries: z.array(
    z.tuple([z.string(), z.string(), z.int().nullable(), z.int().nullable(), segmentsColumn, z.boolean().nullable()]),
  ),
});

const textArray = (all: readonly string[]) => sql`${`{${all.join(",")}}`}::text[]`;
const nameOf = (board: string, country: string) => labelOf(boardOf(board, country === "" ? undefined : country));

export function createFactStore(postgres: Postgres): FactStore {
  return {
    async of(game, { boards, countries }) {
      const among = countries === "any" ? sql`null::text[]` : textArray(countries);
      const [row] = await postgres.query(
        factsRow,
        sql`select * from facts_of_game_v1(${game}, ${textArray(boards.map(({ name }) => name))}, ${among})`,
      );
      if (!row) return undefined;
      return {
        pending: row.pending > MOST_PENDING ? undefined : row.pending,
        moderated: row.moderated,
        moderating: row.moderating,
        newestVerified: row.newest_verified ?? undefined,
        newest: row.newest ?? undefined,
        sizes: new Map(
          row.sizes.map(([board, country, players]) => [nameOf(board, country), players ?? undefined] as const),
        ),
        facts: row.entries.map(([board, player, points, second, country, verified]) => ({
          board: boardOf(board),
          player,
          entry: points === null || second === null ? undefined : { player, points, achievedAtMs: second * 1000 },
          country: country ?? undefined,
          // A player who is not on the board any more was taken off by a moderator, and Redis was told.
          verified: verified ?? true,
        })),
      };
    },

    async ofEntries(game, boards) {
      const byKey = new Map(boards.map((board) => [board.key, board]));
      const [row] = await postgres.query(
        entryFactsRow,
        sql`select * from facts_of_entries_v1(${game}, ${textArray([...byKey.keys()])})`,
      );
      if (!row) throw new Error("an aggregate without a row");
      const facts = row.entries.flatMap(([key, player, points, achievedAtMs, segments, verified]) => {
        const periodBoard = byKey.get(key);
        if (!periodBoard) return [];
        const entry = points === null || achievedAtMs === null ? undefined : { player, points, achievedAtMs };
        return [{ periodBoard, player, entry, ...partsOf({ segments, left: null }), verified: verified ?? true }];
      });
      return { facts, sizes: new Map(row.sizes) };
    },

    async recount(game, name) {
      const [row] = await postgres.query(
        z.object({ wrong: z.boolean() }),
        sql`select (select count(*) from bests b where b.game = ${game} and b.board = ${name}) <> coalesce((
          select sum(z.players) from board_sizes z where z.game = ${game} and z.board = ${name}), -1) as wrong`,
      );
      if (row?.wrong) await postgres.query(z.unknown(), sql`select recount_board_v1(${game}, ${name})`);
      return row?.wrong ?? false;
    },
  };
}
