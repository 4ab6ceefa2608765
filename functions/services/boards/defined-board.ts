/** Which board that a game defined a path and a query name: its rule, its key, its period, and the part of it. */
import type { OfBoard, ValueEntry } from "../../contract/board-reads.ts";
import { compile, type CompiledBoard } from "../../domain/board/compiled.ts";
import { isKept, periodBoardOf, type Part, type PeriodBoard } from "../../domain/board/period-board.ts";
import type { BoardRef } from "../../domain/board/ref.ts";
import { ENDLESS } from "../../domain/board/rule.ts";
import { DomainError } from "../../domain/errors.ts";
import { knownDefinition } from "../definitions/known-definitions.ts";
import type { DefinitionPorts, StoredPeriod } from "../definitions/ports.ts";
import { stateOf } from "../definitions/read-definitions.ts";
import { subjectOfPeriodBoard } from "../healing/trust.ts";
import type { Runtime } from "../runtime.ts";
import type { BoardToRead } from "./board-to-read.ts";
import { decodeEntryCursor } from "./cursor.ts";
import { toValueEntries } from "./entries.ts";
import { knownPeriod } from "./known-periods.ts";
import type { BoardPorts, PeriodPart } from "./ports.ts";
import { createTops, generationOfBoard } from "./top-cache.ts";

export type DefinedRef = Extract<BoardRef, { kind: "defined" }>;
type DefinedDeps = Pick<BoardPorts, "periodHistory" | "periodRanking"> &
  Pick<DefinitionPorts, "definitions"> &
  Pick<Runtime, "clock">;

export type DefinedToRead = BoardToRead<PeriodPart, OfBoard, ValueEntry>;

/** Its entries have names and values by statistic, too. */
const TOPS: DefinedToRead["tops"] = createTops(8_000_000, 400);

const invalid = (pointer: string, detail: string) =>
  new DomainError("invalid", "There is no such board.", { errors: [{ pointer, detail }] });

const noPeriod = (board: string, period: string | undefined) =>
  new DomainError(
    "unknown-board",
    period === undefined
      ? `The board "${board}" has no period now.`
      : `The board "${board}" has no period "${period}".`,
  );

function partOf({ segments }: CompiledBoard, segment: string | undefined, country: string | undefined) {
  if (segment === undefined && country === undefined) return undefined;
  if (segment !== undefined && country !== undefined) throw invalid("segment", "must be left out beside country");
  const [name = "", value = ""] = country === undefined ? (segment ?? "").split(":") : ["country", country];
  if (segments.includes(name)) return { segment: name, value: name === "country" ? value.toUpperCase() : value };
  throw invalid(
    country === undefined ? "segment" : "country",
    `must be one of the board\u2019s segments: ${segments.join(", ") || "it has none"}`,
  );
}

const iso = (ms: number) => new Date(ms).toISOString();

function headOf(board: string, key: string, period: StoredPeriod, part: Part | undefined, nowMs: number) {
  const { startsAtMs, endsAtMs } = period;
  return {
    board,
    key,
    period: period.period,
    startsAt: startsAtMs <= ENDLESS.startsAtMs ? null : iso(startsAtMs),
    resetsAt: endsAtMs >= ENDLESS.endsAtMs ? null : iso(endsAtMs),
    state: stateOf(period, nowMs),
    segment: part ? `${part.segment}:${part.value}` : null,
  };
}

/** Its key is the name of no other board of the game, and what is remembered asks for nothing else. */
const labelledBy = ({ key }: PeriodBoard, part: Part | undefined) => ({
  name: key,
  country: part && `${part.segment}=${part.value}`,
  period: undefined,
});

/** Throws DomainError `unknown-game`, `unknown-board` (also for a period that it does not have), `invalid` or `unavailable`. */
export async function definedBoard(
  deps: DefinedDeps,
  game: string,
  { board: id, key, period: asked }: DefinedRef,
  segment: string | undefined,
  country: string | undefined,
): Promise<DefinedToRead> {
  const compiled = compile(await knownDefinition(deps, game, id));
  if (compiled.keyed && key === undefined) throw invalid("board", `must say which one, such as ${id}~first`);
  if (!compiled.keyed && key !== undefined) throw invalid("board", "must have no ~: the board is not keyed");
  const part = partOf(compiled, segment, country);
  const period = await knownPeriod(deps, game, compiled, asked);
  if (!period) throw noPeriod(id, asked);
  const rest = `${key === undefined ? "" : `~${key}`}.${period.period}`;
  const board = periodBoardOf(compiled, compiled.name + rest, period);
  return {
    board: { board, part },
    live: deps.periodRanking,
    history: deps.periodHistory,
    labelled: labelledBy(board, part),
    subject: () => subjectOfPeriodBoard(board),
    isKept: (nowMs) => isKept(board, nowMs),
    head: () => headOf(id, id + rest, period, part, deps.clock.now()),
    toEntries: (page) => toValueEntries(compiled, page),
    decode: (cursor) => decodeEntryCursor(cursor, board),
    tops: TOPS,
    generation: () => generationOfBoard(game, board.key),
  };
}
