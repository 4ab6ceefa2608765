/** What Redis gets of submissions on boards that their game defined, and where it ranked that. */
import type { CompiledBoard } from "../../domain/board/compiled.ts";
import { isKept, periodBoardOf } from "../../domain/board/period-board.ts";
import type { Applied, EntryChange, EntryPlace, RankedEntry, RecordedSubmission, ValuesSubmission } from "./ports.ts";

type Submission = Pick<RecordedSubmission | ValuesSubmission, "submissionId" | "player" | "replayed" | "entries">;

/** A submission with the entries that it brings to boards which the game defined, at least one. */
export type Entered = { readonly submission: Submission; readonly entries: readonly RankedEntry[] };

/** `laps`, `laps~track-88` or `laps#2`, with or without a period behind a dot: the name of the board. */
const nameOf = (key: string) => key.split(/[~.]/)[0] ?? "";

export const boardOfKey = (boards: readonly CompiledBoard[], key: string): CompiledBoard | undefined => {
  const name = nameOf(key);
  return boards.find((board) => board.name === name);
};

function toEntry(
  boards: readonly CompiledBoard[],
  { player, replayed }: Submission,
  { key, reason, strength, atMs, changed, proven, parts, leftParts, period }: EntryChange,
  nowMs: number,
): RankedEntry | undefined {
  const board = boardOfKey(boards, key);
  if (!board || reason !== undefined || strength === undefined || atMs === undefined || !period) return undefined;
  const onBoard = periodBoardOf(board, key, period);
  if (!isKept(onBoard, nowMs)) return undefined;
  const entry = { player, points: strength, achievedAtMs: atMs };
  return { board: onBoard, entry, parts, leftParts, writes: changed || replayed || !proven };
}

/** Entries of one submission. */
export const entriesOf = (boards: readonly CompiledBoard[], submission: Submission, nowMs: number): RankedEntry[] =>
  (submission.entries ?? []).flatMap((change) => toEntry(boards, submission, change, nowMs) ?? []);

/** The player and the board of an entry in one word. */
export const wordOf = (player: string, key: string): string => `${key}\n${player}`;

const isSame = (a: { segment: string; value: string }) => (b: { segment: string; value: string }) =>
  a.segment === b.segment && a.value === b.value;

/**
 * The last entry of each player and board, by word: several submissions of a player in one call build on each other in the
 * order of their ids, and a replay is answered after all of them.
 */
export function lastEntries(entered: readonly Entered[]): Map<string, RankedEntry> {
  const inOrder = entered.toSorted(({ submission: a }, { submission: b }) => {
    if (a.replayed !== b.replayed) return a.replayed ? 1 : -1;
    return a.submissionId < b.submissionId ? -1 : 1;
  });
  const last = new Map<string, RankedEntry>();
  for (const entry of inOrder.flatMap(({ entries }) => entries)) {
    const word = wordOf(entry.entry.player, entry.board.key);
    const before = last.get(word);
    const left = [...(before?.leftParts ?? []), ...(before?.parts ?? []), ...entry.leftParts];
    last.set(word, {
      ...entry,
      writes: entry.writes || (before?.writes ?? false),
      leftParts: left.filter((part, i) => left.findIndex(isSame(part)) === i && !entry.parts.some(isSame(part))),
    });
  }
  return last;
}

export type Places = ReadonlyMap<string, EntryPlace>;

/** The places that Redis gave to these entries, by their words. */
export function placesByWord(entries: ReadonlyMap<string, RankedEntry>, applied: Applied | undefined): Places {
  const words = [...entries.keys()];
  return new Map((applied?.places ?? []).flatMap((place, i) => (words[i] === undefined ? [] : [[words[i], place]])));
}
