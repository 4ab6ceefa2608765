/** What a submission brings to the boards that its game defined. */
import type { FieldError } from "../../contract/problem.ts";
import { MOST_BOARDS_FED } from "../../contract/scores.ts";
import type { CompiledBoard } from "../../domain/board/compiled.ts";
import type { Period } from "../../domain/board/periods/schedule.ts";
import { refusalInWords, contributionOf, type Contribution } from "../../domain/board/strength.ts";
import { periodOn } from "../../domain/board/turns.ts";
import type { Brought, NewSubmission } from "./ports.ts";

export type Named = Pick<NewSubmission, "points" | "values" | "keys" | "segments" | "country" | "metadata">;

/** The period of each board that was asked for last: nearly every submission is of the same one. */
const current = new WeakMap<CompiledBoard, Period>();

function periodAt(board: CompiledBoard, atMs: number): Period | undefined {
  const known = current.get(board);
  if (known && known.startsAtMs <= atMs && atMs < known.endsAtMs) return known;
  const found = periodOn(board.schedules, atMs);
  if (found) current.set(board, found);
  return found;
}

/** `laps.2026-10-14`, `song~track-88.all`; without a period the board's name, with its key. */
const keyOf = (board: CompiledBoard, key: string | undefined, period: string | undefined): string =>
  board.name + (key === undefined ? "" : `~${key}`) + (period === undefined ? "" : `.${period}`);

/** A strength, or what is added to the strength of a total. */
const bringsOf = ({ order }: CompiledBoard, contribution: Contribution): number => {
  if (contribution.kind === "strength") return contribution.strength;
  return order === "desc" ? contribution.units : -contribution.units;
};

function partsOf({ segments }: CompiledBoard, named: Named): Brought["parts"] {
  const found = segments.flatMap((segment) => {
    const value = segment === "country" ? named.country : named.segments?.[segment];
    return value === undefined ? [] : [[segment, value] as const];
  });
  return found.length === 0 ? undefined : Object.fromEntries(found);
}

const pointerOf = (statistic: string) => (statistic === "points" ? "/points" : `/values/${statistic}`);

function metadataErrors(fed: readonly CompiledBoard[], metadata: Named["metadata"]): FieldError[] {
  if (metadata === undefined) return [];
  const most = Math.max(0, ...fed.map(({ metadataBytes }) => metadataBytes));
  if (most === 0) return [{ pointer: "/metadata", detail: "is kept by none of the boards that this submission is on" }];
  const bytes = new TextEncoder().encode(JSON.stringify(metadata)).length;
  return bytes <= most ? [] : [{ pointer: "/metadata", detail: `must be at most ${most} bytes of JSON` }];
}

/** What it brings to each board whose statistic and key it names, or what is wrong with it. */
export function broughtBy(
  boards: readonly CompiledBoard[],
  named: Named,
  atMs: number,
): { readonly brought: readonly Brought[]; readonly errors: readonly FieldError[] } {
  const values = { ...named.values, ...(named.points === undefined ? {} : { points: named.points }) };
  const brought: Brought[] = [];
  const errors: FieldError[] = [];
  for (const board of boards) {
    const key = board.keyed ? named.keys?.[board.id] : undefined;
    if (board.keyed && key === undefined) continue;
    const taken = contributionOf(board, values);
    if (taken.kind === "refused") {
      for (const refused of taken.refused)
        errors.push({ pointer: pointerOf(refused.statistic), detail: refusalInWords(board.id, board, refused) });
    }
    if (taken.kind !== "taken") continue;
    const period = periodAt(board, atMs)?.period;
    brought.push({
      board,
      key: keyOf(board, key, period),
      period,
      brings: bringsOf(board, taken.contribution),
      parts: partsOf(board, named),
    });
  }
  if (brought.length > MOST_BOARDS_FED)
    errors.push({
      pointer: "/values",
      detail: `must be of at most ${MOST_BOARDS_FED} boards, and is of ${brought.length}`,
    });
  errors.push(
    ...metadataErrors(
      brought.map(({ board }) => board),
      named.metadata,
    ),
  );
  return { brought, errors };
}
