/** Rows of periods: those ahead, which the cron keeps, and the one that a submission did not find. */
import type { CompiledBoard } from "../../domain/board/compiled.ts";
import { nextRowsAt, rowsAhead, toRow, type PeriodRow } from "../../domain/board/period-rows.ts";
import { periodOn } from "../../domain/board/turns.ts";
import { createMemory } from "../memory.ts";
import type { Runtime } from "../runtime.ts";
import type { DefinitionPorts, WantedPeriods } from "./ports.ts";

const wantedOf = (game: string, board: CompiledBoard, periods: readonly PeriodRow[]): WantedPeriods => ({
  game,
  name: board.name,
  revision: board.revision,
  periods,
});

type NoteDeps = Pick<DefinitionPorts, "due"> & Pick<Runtime, "clock" | "background">;

/** After the response: Redis is told when the cron has to look at the game. Should it not hear, the next submission without a row tells it. */
export function noteSoon(deps: NoteDeps, game: string, boards: readonly CompiledBoard[]): void {
  const atMs = nextRowsAt(boards, deps.clock.now(), true);
  if (atMs !== undefined) deps.background.run("note-periods", () => deps.due.note(game, atMs));
}

/** What games defined: plain values. A definition that changed since is noticed when rows are written. */
const known = createMemory<readonly CompiledBoard[]>();
const MOST_TRIES = 3;

export type WantedPeriod = { readonly board: string; readonly atMs: number };
export type EnsureDeps = Pick<DefinitionPorts, "definitions"> & NoteDeps;

async function read(deps: EnsureDeps, game: string): Promise<readonly CompiledBoard[]> {
  const boards = (await deps.definitions.ofGames([game])).get(game) ?? [];
  known.set(game, boards);
  return boards;
}

/** What is to be written, one for each board; the answers in the order of `wanted`. */
function computed(game: string, boards: readonly CompiledBoard[], wanted: readonly WantedPeriod[]) {
  const byBoard = new Map<CompiledBoard, Map<string, PeriodRow>>();
  const answers = wanted.map(({ board: id, atMs }) => {
    const board = boards.find((one) => one.id === id);
    const period = board && periodOn(board.schedules, atMs);
    if (!board || !period) return undefined;
    const row = toRow(board, period);
    byBoard.set(board, (byBoard.get(board) ?? new Map()).set(row.period, row));
    return row;
  });
  return { answers, writes: [...byBoard].map(([board, rows]) => wantedOf(game, board, [...rows.values()])) };
}

/**
 * Sees to it that the periods that hold these instants are rows, for submissions that found none. Undefined for a board that
 * the game does not define, and in a gap between seasons. One statement, two when this isolate has not met the game lately.
 */
export async function ensurePeriods(
  deps: EnsureDeps,
  game: string,
  wanted: readonly WantedPeriod[],
): Promise<readonly (PeriodRow | undefined)[]> {
  let boards = known.get(game);
  for (let tries = 0; ; tries++) {
    const isFresh = boards === undefined;
    boards ??= await read(deps, game);
    const { answers, writes } = computed(game, boards, wanted);
    const { stale } = writes.length > 0 ? await deps.definitions.add(writes) : { stale: [] };
    const isCurrent = stale.length === 0 && (isFresh || !answers.includes(undefined));
    if (isCurrent || tries >= MOST_TRIES) {
      if (writes.length > 0) noteSoon(deps, game, boards);
      return answers;
    }
    boards = undefined;
  }
}

/** Writes the rows that these games need; when each needs rows next. What changes meanwhile is the next run's. */
export async function writeAhead(
  deps: { readonly definitions: DefinitionPorts["definitionPages"] } & Pick<Runtime, "clock">,
  games: ReadonlyMap<string, readonly CompiledBoard[]>,
  isPlayed: (game: string) => boolean,
): Promise<ReadonlyMap<string, number | undefined>> {
  const nowMs = deps.clock.now();
  const wanted = [...games].flatMap(([game, boards]) =>
    boards.map((board) => wantedOf(game, board, rowsAhead(board, nowMs))),
  );
  const { stale } = await deps.definitions.add(wanted.filter(({ periods }) => periods.length > 0));
  const changed = new Set(stale.map(({ game }) => game));
  return new Map(
    [...games].map(([game, boards]) => [game, changed.has(game) ? nowMs : nextRowsAt(boards, nowMs, isPlayed(game))]),
  );
}
