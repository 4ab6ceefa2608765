/** Boards that games defined, and their periods (drizzle/schema/boards.ts, periods.ts). */
import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import { boards } from "../../../drizzle/schema/boards.ts";
import { games } from "../../../drizzle/schema/games.ts";
import { periods } from "../../../drizzle/schema/periods.ts";
import type { PeriodRow } from "../../domain/board/period-rows.ts";
import type { DefinitionStore, StoredPeriod } from "../../services/definitions/ports.ts";
import { bigintNumber, instantMs, type Postgres } from "./client.ts";
import { CompiledBoard, definedRow, toDefined } from "./definition-rows.ts";

const periodRow = z.object({
  period: z.string(),
  starts_at: instantMs,
  ends_at: instantMs,
  closes_at: instantMs,
  unit_ms: z.int(),
  state: z.enum(["open", "closing", "closed", "final"]),
});

const PERIOD = sql`${periods.period}, ${periods.startsAt}, ${periods.endsAt}, ${periods.closesAt}, ${periods.unitMs},
  ${periods.state}`;

const toPeriod = (row: z.infer<typeof periodRow>): StoredPeriod => ({
  period: row.period,
  startsAtMs: row.starts_at,
  endsAtMs: row.ends_at,
  closesAtMs: row.closes_at,
  unitMs: row.unit_ms,
  state: row.state,
});

const putOutcome = z.enum(["created", "changed", "unknown-game", "stale", "too-many", "has-entries"]);
const deleteOutcome = z.enum(["done", "unknown-game", "unknown-board", "open-entries"]);

const iso = (ms: number) => new Date(ms).toISOString();
const endless = (ms: number) => (Number.isFinite(ms) ? iso(ms) : "infinity");

const toRow = ({ period, startsAtMs, endsAtMs, closesAtMs, unitMs }: PeriodRow) => ({
  period,
  starts: iso(startsAtMs),
  ends: iso(endsAtMs),
  closes: iso(closesAtMs),
  unit: unitMs,
});

const json = (value: unknown): SQL => sql`${JSON.stringify(value)}`;

/** The boards of a game, each with its definition; one row without a board when the game has none, and no row for no game. */
const definedOf = (game: string, which: SQL) => sql`
  from ${games} left join ${boards} on ${boards.game} = ${games.game} and ${boards.deletedAt} is null and ${which}
  where ${games.game} = ${game} order by ${boards.board}`;
const DEFINED = sql`${boards.board}, ${boards.name}, ${boards.revision}, ${boards.rule}, ${boards.schedules}, ${boards.createdAt}`;

export function createDefinitionStore(postgres: Postgres): DefinitionStore {
  return {
    async all(game) {
      const row = z.union([definedRow, z.object({ board: z.null() })]);
      const rows = await postgres.query(row, sql`select ${DEFINED} ${definedOf(game, sql`true`)}`);
      return rows.length === 0 ? undefined : rows.flatMap((found) => (found.board === null ? [] : [toDefined(found)]));
    },

    async find(game, board) {
      const context = z.object({ now: instantMs, used: bigintNumber });
      const row = z.union([context.extend(definedRow.shape), context.extend({ board: z.null() })]);
      const [found] = await postgres.query(
        row,
        sql`select ${DEFINED}, clock_timestamp() as now, (select count(*) from ${boards} as o
            where o.game = ${game} and o.board = ${board}) as used
          ${definedOf(game, sql`${boards.board} = ${board}`)}`,
      );
      return (
        found && { nowMs: found.now, used: found.used, found: found.board === null ? undefined : toDefined(found) }
      );
    },

    async put(game, definition, most) {
      const { board, revision, name, rule, turns, compiled, entriesDepend, replacesPeriods, untilMs } = definition;
      const rows = definition.periods.map(toRow);
      const [row] = await postgres.query(
        z.object({ outcome: putOutcome }),
        sql`select put_board_v1(${game}, ${board}, ${revision}, ${name}, ${json(rule)}, ${json(turns)}, ${json(compiled)},
          ${entriesDepend}, ${replacesPeriods}, ${endless(untilMs)}::timestamptz, ${json(rows)}, ${most}) as outcome`,
      );
      return row?.outcome ?? "stale";
    },

    async delete(game, board, now) {
      const [row] = await postgres.query(
        z.object({ outcome: deleteOutcome }),
        sql`select delete_board_v1(${game}, ${board}, ${now}) as outcome`,
      );
      return row?.outcome ?? "unknown-game";
    },

    async periods(game, name, fromMs, untilMs) {
      const rows = await postgres.query(
        periodRow,
        sql`select ${PERIOD}
          from ${periods} where ${periods.game} = ${game} and ${periods.board} = ${name}
            and ${periods.endsAt} > ${iso(fromMs)}::timestamptz and ${periods.startsAt} < ${iso(untilMs)}::timestamptz
          order by ${periods.startsAt}`,
      );
      return rows.map(toPeriod);
    },

    async period(game, name, which) {
      const is =
        "id" in which
          ? sql`${periods.period} = ${which.id}`
          : sql`${periods.startsAt} < ${iso(which.beforeMs)}::timestamptz order by ${periods.startsAt} desc limit 1`;
      const [row] = await postgres.query(
        periodRow,
        sql`select ${PERIOD} from ${periods} where ${periods.game} = ${game} and ${periods.board} = ${name} and ${is}`,
      );
      return row && toPeriod(row);
    },

    async add(wanted) {
      const rows = wanted.flatMap(({ game, name, revision, periods: some }) =>
        some.map((period) => ({ game, board: name, revision, ...toRow(period) })),
      );
      const written = await postgres.query(
        z.object({ game: z.string(), board: z.string() }),
        sql`select * from add_periods_v1(${json(rows)})`,
      );
      const done = new Set(written.map(({ game, board }) => `${game}/${board}`));
      return { stale: wanted.filter(({ game, name }) => !done.has(`${game}/${name}`)) };
    },

    async ofGames(which) {
      const where =
        "after" in which
          ? sql`${games.game} > ${which.after} and ${games.boards} is not null order by ${games.game} limit ${which.n}`
          : sql`${games.game} = any(${`{${which.join(",")}}`}::text[]) and ${games.boards} is not null`;
      const rows = await postgres.query(
        z.object({ game: z.string(), boards: z.array(CompiledBoard) }),
        sql`select ${games.game}, ${games.boards} from ${games} where ${where}`,
      );
      return new Map(rows.map(({ game, boards: compiled }) => [game, compiled]));
    },
  };
}
