/** A board as reads take it, one of every game or one that the game defined: where it is read, and how it is shown. */
import type { BoardEntry, TopResponse } from "../../contract/boards.ts";
import type { Board, Cursor } from "../../domain/board/board.ts";
import { DEFAULT_BOARDS } from "../../domain/board/default-boards.ts";
import { isOnRedis } from "../../domain/board/time.ts";
import { stateOf } from "../definitions/read-definitions.ts";
import type { Subject } from "../healing/inspection-ports.ts";
import { subjectOfBoard } from "../healing/trust.ts";
import type { Runtime } from "../runtime.ts";
import type { SubmitPorts } from "../submit/ports.ts";
import { decodeCursor } from "./cursor.ts";
import { toBoardEntries } from "./entries.ts";
import type { BoardPage, BoardPorts, LiveReadsOf, PageReader } from "./ports.ts";
import { createTops, generationOf, type Generation, type TopOf, type Tops } from "./top-cache.ts";

export type BoardToRead<B, Head extends object, E> = {
  readonly board: B;
  readonly live: LiveReadsOf<PageReader<B>>;
  readonly history: PageReader<B>;
  /** What is remembered of it: its versions, which are the whole board's, by the name alone. */
  readonly labelled: Board;
  /** As what Redis is compared with Postgres about it. */
  readonly subject: () => Subject;
  /** Whether Redis has it at a moment. */
  readonly isKept: (nowMs: number) => boolean;
  /** What every answer says of it. */
  readonly head: () => Head;
  readonly toEntries: (page: BoardPage) => E[];
  /** Throws DomainError `invalid` for a cursor of another board. */
  readonly decode: (cursor: string) => Cursor;
  /** Its kind's pages. */
  readonly tops: Tops<TopOf<Head, E>>;
  /** Of its pages. */
  readonly generation: (game: string) => Generation;
};

type OfEveryGame = Pick<BoardPorts, "history"> & Pick<SubmitPorts, "ranking"> & Pick<Runtime, "clock">;

const GRACE_MS = DEFAULT_BOARDS.weekly.graceSeconds * 1_000;

type Head = Pick<TopResponse, "board" | "country" | "period" | "startsAt" | "resetsAt" | "state">;

function headOf(board: Board, nowMs: number): Head {
  const { name, country, period } = board;
  const named = { board: name, country: country ?? null };
  if (!period) return { ...named, period: "all", startsAt: null, resetsAt: null, state: "open" };
  const { startsAtMs, endsAtMs } = period;
  return {
    ...named,
    period: name,
    startsAt: new Date(startsAtMs).toISOString(),
    resetsAt: new Date(endsAtMs).toISOString(),
    state: stateOf({ startsAtMs, endsAtMs, closesAtMs: endsAtMs + GRACE_MS, state: "open" }, nowMs),
  };
}

export type DefaultToRead = BoardToRead<Board, Head, BoardEntry>;

export const TOPS: DefaultToRead["tops"] = createTops(16_000_000, 176);

/** A board that every game has. */
export function boardOfEveryGame(deps: OfEveryGame, board: Board): DefaultToRead {
  return {
    board,
    live: deps.ranking,
    history: deps.history,
    labelled: board,
    subject: () => subjectOfBoard(board),
    isKept: (nowMs) => isOnRedis(board, nowMs),
    head: () => headOf(board, deps.clock.now()),
    toEntries: toBoardEntries,
    decode: (cursor) => decodeCursor(cursor, board),
    tops: TOPS,
    generation: generationOf,
  };
}
