/** Which board that a game defined a path and a query name: its key, its rule and its period. */
import type { OfBoard } from "../../contract/board-reads.ts";
import type { BoardRef } from "../../domain/board/ref.ts";
import { PREVIOUS } from "../../domain/board/ref.ts";
import { periodNamed } from "../../domain/board/periods.ts";
import type { Period } from "../../domain/board/periods/schedule.ts";
import { ruleOf, type BoardRule } from "../../domain/board/rule.ts";
import { periodOn } from "../../domain/board/turns.ts";
import { DomainError } from "../../domain/errors.ts";
import { knownDefinition } from "../definitions/known-definitions.ts";
import type { DefinedBoard, DefinitionPorts, StoredPeriod } from "../definitions/ports.ts";
import { isoOrNull, stateOf } from "../definitions/read-definitions.ts";
import { orUnavailable } from "../or-unavailable.ts";
import type { Runtime } from "../runtime.ts";
import type { Part } from "../../domain/board/period-board.ts";
import type { EntryPorts } from "./defined-ports.ts";

export type DefinedRef = Extract<BoardRef, { kind: "defined" }>;
export type DefinedDeps = EntryPorts & Pick<DefinitionPorts, "definitions"> & Pick<Runtime, "clock">;

export type Named = {
  /** Of its rows in `bests`. */
  readonly stored: string;
  readonly part: Part | undefined;
  readonly rule: BoardRule;
  /** What every answer says of the board. */
  readonly shown: Omit<OfBoard, "boardSize">;
};

const invalid = (pointer: string, detail: string) =>
  new DomainError("invalid", "There is no such board.", { errors: [{ pointer, detail }] });

const noPeriod = (board: string, period: string | undefined) =>
  new DomainError(
    "unknown-board",
    period === undefined
      ? `The board "${board}" has no period now.`
      : `The board "${board}" has no period "${period}".`,
  );

type Found = Period & Pick<StoredPeriod, "closesAtMs" | "state">;

const computed = (definition: DefinedBoard, period: Period | undefined): Found | undefined =>
  period && { ...period, closesAtMs: period.endsAtMs + definition.rule.graceSeconds * 1_000, state: "open" };

/** A period that has a row is what the row says; others are computed, and have no entries. */
async function periodOf(
  deps: DefinedDeps,
  game: string,
  definition: DefinedBoard,
  asked: string | undefined,
): Promise<Found | undefined> {
  const { name, turns } = definition;
  const running = periodOn(turns, deps.clock.now());
  if (asked === undefined || asked === running?.period) return computed(definition, running);
  if (asked === PREVIOUS) {
    const beforeMs = running?.startsAtMs ?? deps.clock.now();
    return Number.isFinite(beforeMs) ? orUnavailable(deps.definitions.period(game, name, { beforeMs })) : undefined;
  }
  const row = await orUnavailable(deps.definitions.period(game, name, { id: asked }));
  return row ?? computed(definition, turns.map(({ schedule }) => periodNamed(schedule, asked)).find(Boolean));
}

function partOf({ rule }: DefinedBoard, segment: string | undefined, country: string | undefined): Part | undefined {
  if (segment === undefined && country === undefined) return undefined;
  if (segment !== undefined && country !== undefined) throw invalid("segment", "must be left out beside country");
  const [name = "", value = ""] = country === undefined ? (segment ?? "").split(":") : ["country", country];
  if (rule.segments.includes(name)) return { segment: name, value: name === "country" ? value.toUpperCase() : value };
  throw invalid(
    country === undefined ? "segment" : "country",
    `must be one of the board\u2019s segments: ${rule.segments.join(", ") || "it has none"}`,
  );
}

/** Throws DomainError `unknown-game`, `unknown-board` (also for a period that it does not have), `invalid` or `unavailable`. */
export async function namedBoard(
  deps: DefinedDeps,
  game: string,
  { board, key, period: asked }: DefinedRef,
  segment: string | undefined,
  country: string | undefined,
): Promise<Named> {
  const definition = await knownDefinition(deps, game, board);
  const { rule, name } = definition;
  if (rule.keyed && key === undefined) throw invalid("board", `must say which one, such as ${board}~first`);
  if (!rule.keyed && key !== undefined) throw invalid("board", "must have no ~: the board is not keyed");
  const part = partOf(definition, segment, country);
  const period = await periodOf(deps, game, definition, asked);
  if (!period) throw noPeriod(board, asked);
  const rest = `${key === undefined ? "" : `~${key}`}.${period.period}`;
  return {
    stored: name + rest,
    part,
    rule: ruleOf(rule),
    shown: {
      board,
      key: board + rest,
      period: period.period,
      startsAt: rule.schedule.kind === "never" ? null : isoOrNull(period.startsAtMs),
      resetsAt: rule.schedule.kind === "never" ? null : isoOrNull(period.endsAtMs),
      state: stateOf(period, deps.clock.now()),
      segment: part ? `${part.segment}:${part.value}` : null,
    },
  };
}
