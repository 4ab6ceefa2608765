import type { BoardDefinition } from "../../contract/board-definitions.ts";
import type { CompiledBoard } from "../../domain/board/compiled.ts";
import type { PeriodRow } from "../../domain/board/period-rows.ts";
import type { Turns } from "../../domain/board/turns.ts";

/** A board that a game defined, as it is stored. */
export type DefinedBoard = {
  readonly board: string;
  /** What its entries' keys and its periods are stored under: the id, or `laps#2` when the id was used before. */
  readonly name: string;
  /** Of the definition: it goes up with each change. */
  readonly revision: number;
  readonly rule: BoardDefinition;
  readonly turns: Turns;
  readonly createdAtMs: number;
};

export type PeriodState = "open" | "closing" | "closed" | "final";
export type StoredPeriod = PeriodRow & { readonly state: PeriodState };

/** A change as it was computed from what was read. */
export type Definition = Omit<DefinedBoard, "createdAtMs"> & {
  readonly compiled: CompiledBoard;
  /** Whether parts of the rule change that entries depend on. */
  readonly entriesDepend: boolean;
  /** Whether rows of periods that have not begun are replaced. */
  readonly replacesPeriods: boolean;
  /** Until when what was computed holds. */
  readonly untilMs: number;
  readonly periods: readonly PeriodRow[];
};

export type PutOutcome = "created" | "changed" | "unknown-game" | "stale" | "too-many" | "has-entries";
export type DeleteOutcome = "done" | "unknown-game" | "unknown-board" | "open-entries";

/** Periods of one board to be written, computed from this revision of its definition. */
export type WantedPeriods = {
  readonly game: string;
  readonly name: string;
  readonly revision: number;
  readonly periods: readonly PeriodRow[];
};

export type DefinitionStore = {
  /** The boards that a game defined, by id; undefined when there is no such game. */
  all(game: string): Promise<readonly DefinedBoard[] | undefined>;
  /** One of them, the time, and how many boards had its id so far; undefined when there is no such game. */
  find(
    game: string,
    board: string,
  ): Promise<{ readonly nowMs: number; readonly used: number; readonly found: DefinedBoard | undefined } | undefined>;
  /** `revision` and `name` are those that were read; revision 0: the game had no such board. */
  put(game: string, definition: Definition, most: number): Promise<PutOutcome>;
  /** `now`: also while an open period has entries. */
  delete(game: string, board: string, now: boolean): Promise<DeleteOutcome>;
  /** Rows of a board's periods that have not ended before `fromMs` and begin before `untilMs`. */
  periods(game: string, name: string, fromMs: number, untilMs: number): Promise<readonly StoredPeriod[]>;
  /** One of them: of this id, or the last that begins before a moment. */
  period(
    game: string,
    name: string,
    which: { readonly id: string } | { readonly beforeMs: number },
  ): Promise<StoredPeriod | undefined>;
  /** Writes what is missing; the boards whose definition is another one by now are left out, and these are named. */
  add(wanted: readonly WantedPeriods[]): Promise<{ readonly stale: readonly WantedPeriods[] }>;
  /** Of some games all that they defined; or of up to `n` games that defined boards, after this one. */
  ofGames(
    which: readonly string[] | { readonly after: string; readonly n: number },
  ): Promise<ReadonlyMap<string, readonly CompiledBoard[]>>;
};

/**
 * When the cron has to write a game's next rows, kept in Redis so that an idle Postgres sleeps. The tick learns the earliest of
 * these times together with the list of busy games.
 */
export type DuePeriods = {
  /** Games whose rows are needed by now, and when the next one's are; undefined when Redis has lost the list. */
  read(): Promise<{ readonly games: readonly string[]; readonly nextAtMs: number | undefined } | undefined>;
  /** Notes when rows are needed, for games whose rows are not needed earlier. */
  note(game: string, atMs: number): Promise<void>;
  /** Notes when rows are needed next, now that they are written; undefined: never. */
  reset(games: ReadonlyMap<string, number | undefined>): Promise<void>;
  /** Says that the list has every game that needs rows. */
  whole(): Promise<void>;
  /** Notes when a tick has to read the list. */
  readAgainAt(atMs: number): Promise<void>;
};

/** The ports of this wing by the names under which they are handed on. */
export type DefinitionPorts = {
  readonly definitions: DefinitionStore;
  /** For the cron, whose pages may take long for reasons of their own. */
  readonly definitionPages: Pick<DefinitionStore, "ofGames" | "add">;
  readonly due: DuePeriods;
};
