/** Defines boards, changes their definitions and deletes them. */
import type { BoardDefinition } from "../../contract/board-definitions.ts";
import { compile } from "../../domain/board/compiled.ts";
import { changeOf, ruleOf } from "../../domain/board/rule.ts";
import { DomainError } from "../../domain/errors.ts";
import { beginsBy, nextTurnOn, withSchedule, type Turns } from "../../domain/board/turns.ts";
import { orUnavailable } from "../or-unavailable.ts";
import type { HealingPorts } from "../healing/ports.ts";
import type { Runtime } from "../runtime.ts";
import { rowsAhead } from "../../domain/board/period-rows.ts";
import { noteSoon } from "./keep-periods.ts";
import { dropDefinitions } from "./known-definitions.ts";
import type { DefinedBoard, Definition, DefinitionPorts } from "./ports.ts";
import { unknownBoard, unknownGame } from "./refusals.ts";

/** Boards that a game may define. */
export const MOST_BOARDS = 16;
/** Definitions of one board that come at once are taken one after the other. */
const MOST_TRIES = 8;

type DefineDeps = Pick<DefinitionPorts, "definitions" | "due"> & Pick<Runtime, "clock" | "background">;

function conflict(detail: string, errors: readonly { pointer: string; detail: string }[] = []): DomainError {
  return new DomainError("conflict", detail, errors.length > 0 ? { errors } : {});
}

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

const changedParts = (before: BoardDefinition, after: BoardDefinition) => changeOf(ruleOf(before), ruleOf(after));

function hasEntries(board: string, parts: readonly string[]): DomainError {
  const detail = `must stay as it is, because "${board}" has entries; define another board with the rule you want`;
  return conflict(
    `The board has entries, which depend on ${parts.join(", ")}. Define another board with the rule you want, or delete this one.`,
    parts.map((part) => ({ pointer: `/${part}`, detail })),
  );
}

/** Seasons that have begun keep their times. */
function movedSeasons(found: DefinedBoard, { schedule }: BoardDefinition, nowMs: number) {
  if (schedule.kind !== "seasons") return [];
  return schedule.seasons.flatMap(({ id, startsAt, endsAt }, i) => {
    const begun = beginsBy(found.turns, id, nowMs);
    if (!begun || (begun.startsAtMs === Date.parse(startsAt) && begun.endsAtMs === Date.parse(endsAt))) return [];
    const detail = `has begun and stays as it is: from ${iso(begun.startsAtMs)} to ${iso(begun.endsAtMs)}; give another season another id`;
    return [{ pointer: `/schedule/seasons/${i}`, detail }];
  });
}

const iso = (ms: number) => new Date(ms).toISOString();

/** The schedules of the board from now on. Throws DomainError `conflict` when the new one cannot follow. */
function scheduled(found: DefinedBoard, rule: BoardDefinition, nowMs: number): Turns {
  const moved = movedSeasons(found, rule, nowMs);
  if (moved.length > 0) throw conflict("Seasons that have begun cannot change.", moved);
  const turns = withSchedule(found.turns, rule.schedule, nowMs);
  if (!turns.slice(0, -1).some(({ schedule }) => schedule.kind === "never")) return turns;
  const detail = "must stay `never`: its one period has begun and does not end, so that no other one can follow";
  throw conflict("The board's period never ends. Define another board, or delete this one.", [
    { pointer: "/schedule", detail },
  ]);
}

type Found = NonNullable<Awaited<ReturnType<DefinitionPorts["definitions"]["find"]>>>;

function newDefinition(board: string, rule: BoardDefinition, { nowMs, used }: Found): Definition {
  const name = used === 0 ? board : `${board}#${used + 1}`;
  const turns: Turns = [{ fromMs: null, schedule: rule.schedule }];
  const compiled = compile({ board, name, revision: 1, rule, turns });
  return {
    board,
    name,
    revision: 0,
    rule,
    turns,
    compiled,
    entriesDepend: false,
    replacesPeriods: false,
    untilMs: Number.POSITIVE_INFINITY,
    periods: rowsAhead(compiled, nowMs),
  };
}

function changedDefinition(found: DefinedBoard, rule: BoardDefinition, nowMs: number): Definition {
  const { board, name, revision } = found;
  const turns = scheduled(found, rule, nowMs);
  const compiled = compile({ board, name, revision: revision + 1, rule, turns });
  return {
    board,
    name,
    revision,
    rule,
    turns,
    compiled,
    entriesDepend: changedParts(found.rule, rule).length > 0,
    replacesPeriods: !isSame(found.turns, turns) || found.rule.graceSeconds !== rule.graceSeconds,
    untilMs: nextTurnOn(found.turns, nowMs),
    periods: rowsAhead(compiled, nowMs),
  };
}

/** One attempt, for a definition that may change meanwhile; undefined when it did. */
async function attempt(deps: DefineDeps, game: string, board: string, rule: BoardDefinition) {
  const state = await deps.definitions.find(game, board);
  if (!state) throw unknownGame(game);
  const { found, nowMs } = state;
  const definition = found ? changedDefinition(found, rule, nowMs) : newDefinition(board, rule, state);
  const outcome = await deps.definitions.put(game, definition, MOST_BOARDS);
  switch (outcome) {
    case "unknown-game":
      throw unknownGame(game);
    case "too-many":
      throw conflict(`A game defines at most ${MOST_BOARDS} boards. Delete one first.`);
    case "has-entries":
      throw hasEntries(board, found ? changedParts(found.rule, rule) : []);
    case "stale":
      return undefined;
    default:
      dropDefinitions(game);
      noteSoon(deps, game, [definition.compiled]);
      return { created: outcome === "created", createdAtMs: found?.createdAtMs ?? nowMs };
  }
}

/** Defines a board or changes its definition. Throws DomainError `unknown-game` or `conflict`. */
export async function putBoard(deps: DefineDeps, game: string, board: string, rule: BoardDefinition) {
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const done = await orUnavailable(attempt(deps, game, board, rule));
    if (done) return done;
  }
  throw conflict("Other requests change the board at the same time. Try again.");
}

type DeleteDeps = Pick<DefinitionPorts, "definitions"> &
  Pick<HealingPorts, "bests" | "filler"> &
  Pick<Runtime, "background">;

/**
 * Deletes a board, and after the answer what Redis holds of it: a key that is not reached then goes with its expiry. Throws
 * DomainError `unknown-game`, `unknown-board` or `conflict`.
 */
export async function deleteBoard(deps: DeleteDeps, game: string, board: string, now: boolean): Promise<void> {
  const known = await orUnavailable(deps.bests.boards(game, []));
  const outcome = await orUnavailable(deps.definitions.delete(game, board, now));
  dropDefinitions(game);
  if (outcome === "unknown-game") throw unknownGame(game);
  if (outcome === "unknown-board") throw unknownBoard(board);
  if (outcome === "open-entries") {
    throw conflict(
      "A period of the board is open and has entries. Wait for its end, or delete the board with `?now=true`.",
    );
  }
  const all = known?.defined.map(({ periodBoard }) => periodBoard) ?? [];
  const deleted = all.filter((one) => one.board.id === board);
  if (deleted.length === 0) return;
  deps.background.run("remove-board", async () =>
    deps.filler.removeBoards(game, await deps.bests.parted(game, deleted)),
  );
}
