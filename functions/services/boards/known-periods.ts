/** Rows of periods as reads need them: what this isolate read of one that runs holds until its end. */
import { toRow } from "../../domain/board/period-rows.ts";
import type { CompiledBoard } from "../../domain/board/compiled.ts";
import { periodNamed } from "../../domain/board/periods.ts";
import type { Period } from "../../domain/board/periods/schedule.ts";
import { PREVIOUS } from "../../domain/board/ref.ts";
import { periodOn } from "../../domain/board/turns.ts";
import { DomainError } from "../../domain/errors.ts";
import type { DefinitionPorts, StoredPeriod } from "../definitions/ports.ts";
import { createMemory } from "../memory.ts";
import { orUnavailable } from "../or-unavailable.ts";
import type { Runtime } from "../runtime.ts";

type Deps = Pick<DefinitionPorts, "definitions"> & Pick<Runtime, "clock">;

/** What has ended may become final, and what has not begun may be replaced. */
const KNOWN_FOR_MS = 5_000;

/** Plain values, so sharing them between requests is safe. */
const known = createMemory<{ readonly row: StoredPeriod; readonly untilMs: number }>();

type Which = Parameters<DefinitionPorts["definitions"]["period"]>[2];

/** The row; undefined: there is none. While Postgres is out, what was known of it last. Throws DomainError `unavailable`. */
async function rowOf(deps: Deps, game: string, board: CompiledBoard, which: Which): Promise<StoredPeriod | undefined> {
  const key = [game, board.name, board.revision, ...Object.entries(which).flat()].join("\n");
  const [found, now] = [known.get(key), deps.clock.now()];
  if (found && found.untilMs > now) return found.row;
  try {
    const row = await orUnavailable(deps.definitions.period(game, board.name, which));
    const runs = row && "id" in which && row.startsAtMs <= now && now < row.endsAtMs;
    if (row) known.set(key, { row, untilMs: runs ? row.endsAtMs : now + KNOWN_FOR_MS });
    return row;
  } catch (error) {
    if (found && error instanceof DomainError && error.code === "unavailable") return found.row;
    throw error;
  }
}

/** What a row would be; without one a period has no entries. */
const computed = (board: CompiledBoard, period: Period | undefined): StoredPeriod | undefined =>
  period && { ...toRow(board, period), state: "open" };

/** The board's period of this id, `previous`, or undefined for the one that runs; undefined: it has none. */
export async function knownPeriod(
  deps: Deps,
  game: string,
  board: CompiledBoard,
  asked: string | undefined,
): Promise<StoredPeriod | undefined> {
  const turns = board.schedules;
  const running = periodOn(turns, deps.clock.now());
  if (asked === undefined || asked === running?.period) {
    return running && ((await rowOf(deps, game, board, { id: running.period })) ?? computed(board, running));
  }
  if (asked === PREVIOUS) {
    const beforeMs = running?.startsAtMs ?? deps.clock.now();
    return Number.isFinite(beforeMs) ? rowOf(deps, game, board, { beforeMs }) : undefined;
  }
  const named = turns.map(({ schedule }) => periodNamed(schedule, asked)).find(Boolean);
  return (await rowOf(deps, game, board, { id: asked })) ?? computed(board, named);
}
