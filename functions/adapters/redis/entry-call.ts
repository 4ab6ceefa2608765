/** Entries of boards that a game defined in a call of lb_submit_v3: their part of KEYS and ARGV, and of the reply. */
import { entryText, expiryOf, givenTo, type Part } from "../../domain/board/period-board.ts";
import { timeBitsOf } from "../../domain/board/packing.ts";
import type { EntryPlace, RankedEntry } from "../../services/submit/ports.ts";
import { changesKey, periodBoardKey } from "./keys.ts";
import type { ReplyReader } from "./reply-reader.ts";

/** No key of this kind; no push lease is taken, since only boards of every game have rooms. */
const NONE = "0";

const wordOf = ({ segment, value }: Part) => `${segment}=${value}`;

/** `wanted`: the entry whose rank is asked for, and the part of its board. */
type Sent = { readonly entry: number; readonly part: Part | undefined; readonly wanted: boolean };

export type EntryCall = { readonly args: readonly string[]; readonly sent: readonly Sent[] };

/** Appends the entries' keys to `keys`. */
export function entryCall(game: string, entries: readonly RankedEntry[], keys: string[]): EntryCall {
  const args: string[] = [];
  const sent: Sent[] = [];
  const numbers = new Map<string, string>();
  const numberOf = (key: string) => {
    const number = numbers.get(key) ?? String(keys.push(key));
    numbers.set(key, number);
    return number;
  };
  for (const [i, { board, entry, parts, leftParts, writes }] of entries.entries()) {
    const { rank, segmentRanks } = board.board.answer;
    const expiry = expiryOf(board);
    const newer = givenTo(board) === "newer";
    const onWhole = newer ? numberOf(changesKey(game, board.key)) : NONE;
    const add = (part: Part | undefined, mode: string, score: string, wanted: boolean) => {
      sent.push({ entry: i, part, wanted });
      args.push(
        numberOf(periodBoardKey(game, board.key, part)),
        entry.player,
        score,
        mode,
        String(timeBitsOf(board.packing.split)),
        expiry === undefined ? "" : String(Math.ceil(expiry / 1_000)),
        (writes || mode === "x" ? "w" : "") + (wanted ? "p" : ""),
        NONE,
        part === undefined ? onWhole : NONE,
      );
    };
    const [mode, score] = [newer ? "n" : "r", entryText(board, entry)];
    if (writes || rank) add(undefined, mode, score, rank);
    for (const part of parts) {
      const wanted = segmentRanks.includes(part.segment);
      if (writes || wanted) add(part, mode, score, wanted);
    }
    for (const part of leftParts) add(part, "x", "", false);
  }
  return { args: [...args, String(sent.length)], sent };
}

/** The places of `count` entries, in their order. */
export function readPlaces(from: ReplyReader, sent: readonly Sent[], count: number): EntryPlace[] {
  const ranks = new Map<number, number>();
  const parts = Array.from({ length: count }, () => new Map<string, number>());
  for (const { entry, part, wanted } of sent) {
    const rank = from.nextRank();
    from.next();
    if (!wanted || rank === undefined) continue;
    if (part) parts[entry]?.set(wordOf(part), rank);
    else ranks.set(entry, rank);
  }
  return parts.map((of, i) => ({ rank: ranks.get(i), parts: of }));
}
