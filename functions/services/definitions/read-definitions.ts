/** What boards a game has, and their periods. */
import type { BoardDefinition } from "../../contract/board-definitions.ts";
import type { BoardPeriod, BoardResponse, BoardsResponse, PeriodsResponse } from "../../contract/defined-boards.ts";
import { DEFAULT_BOARDS, isDefaultBoard } from "../../domain/board/default-boards.ts";
import { rowsWithin } from "../../domain/board/period-rows.ts";
import type { Period } from "../../domain/board/periods/schedule.ts";
import { periodsOn, type Turns } from "../../domain/board/turns.ts";
import { orUnavailable } from "../or-unavailable.ts";
import type { Runtime } from "../runtime.ts";
import { unknownBoard, unknownGame } from "./refusals.ts";
import type { DefinedBoard, DefinitionPorts, StoredPeriod } from "./ports.ts";

type ReadDeps = Pick<DefinitionPorts, "definitions">;

const isoOrNull = (ms: number) => (Number.isFinite(ms) ? new Date(ms).toISOString() : null);

/** A board as it is shown. */
export const shown = (board: string, rule: BoardDefinition, createdAtMs: number | undefined): BoardResponse => ({
  board,
  default: isDefaultBoard(board),
  ...rule,
  createdAt: createdAtMs === undefined ? null : new Date(createdAtMs).toISOString(),
});

const defaults = () => Object.entries(DEFAULT_BOARDS).map(([board, rule]) => shown(board, rule, undefined));

async function all(deps: ReadDeps, game: string): Promise<readonly DefinedBoard[]> {
  const found = await orUnavailable(deps.definitions.all(game));
  if (!found) throw unknownGame(game);
  return found;
}

/** The boards of every game and those that this one defined. Throws DomainError `unknown-game`. */
export async function listBoards(deps: ReadDeps, game: string): Promise<BoardsResponse> {
  const defined = await all(deps, game);
  const own = defined.map(({ board, rule, createdAtMs }) => shown(board, rule, createdAtMs));
  return { game, boards: [...defaults(), ...own] };
}

type Board = { readonly name: string | undefined; readonly rule: BoardDefinition; readonly turns: Turns };

/** Throws DomainError `unknown-game` or `unknown-board`. */
async function find(deps: ReadDeps, game: string, board: string): Promise<Board & { createdAtMs: number | undefined }> {
  const defined = await all(deps, game);
  if (isDefaultBoard(board)) {
    const rule = DEFAULT_BOARDS[board];
    return { name: undefined, rule, turns: [{ fromMs: null, schedule: rule.schedule }], createdAtMs: undefined };
  }
  const found = defined.find((one) => one.board === board);
  if (!found) throw unknownBoard(board);
  return found;
}

/** Throws DomainError `unknown-game` or `unknown-board`. */
export async function getBoard(deps: ReadDeps, game: string, board: string): Promise<BoardResponse> {
  const { rule, createdAtMs } = await find(deps, game, board);
  return shown(board, rule, createdAtMs);
}

export function stateOf(row: Omit<StoredPeriod, "period" | "unitMs">, nowMs: number): BoardPeriod["state"] {
  if (row.state === "final") return "final";
  if (row.state !== "open" || row.closesAtMs <= nowMs) return "closed";
  return row.startsAtMs > nowMs ? "upcoming" : "open";
}

/** Rows of the periods that have one; nothing is written for the others. */
async function rowsOf(deps: ReadDeps, game: string, name: string | undefined, computed: readonly Period[]) {
  const [fromMs, untilMs] = rowsWithin(computed);
  if (name === undefined || fromMs >= untilMs) return new Map<string, StoredPeriod>();
  const rows = await orUnavailable(deps.definitions.periods(game, name, fromMs, untilMs));
  return new Map(rows.map((row) => [row.period, row]));
}

/** `n` periods from the one that holds `fromMs` on. Throws DomainError `unknown-game` or `unknown-board`. */
export async function listPeriods(
  deps: ReadDeps & Pick<Runtime, "clock">,
  game: string,
  board: string,
  fromMs: number | undefined,
  n: number,
): Promise<PeriodsResponse> {
  const { name, rule, turns } = await find(deps, game, board);
  const nowMs = deps.clock.now();
  const computed = periodsOn(turns, fromMs ?? nowMs, n);
  const rows = await rowsOf(deps, game, name, computed);
  const periods = computed.map((period) => {
    const closesAtMs = period.endsAtMs + rule.graceSeconds * 1_000;
    const state = stateOf({ state: "open", closesAtMs, ...period, ...rows.get(period.period) }, nowMs);
    return {
      period: period.period,
      startsAt: isoOrNull(period.startsAtMs),
      endsAt: isoOrNull(period.endsAtMs),
      state,
    };
  });
  return { board, periods };
}
