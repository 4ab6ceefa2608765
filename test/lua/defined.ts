/** Boards that games define, on the wire: KEYS and ARGV as the headers in lua/src/defined describe them. */
import { lastTickOf, packStrength, textOf, type Split } from "../../functions/domain/board/packing.ts";
import { nowUs, type Engine, type Item } from "./engine.ts";
import { WEEK } from "./keys.ts";

export type DefinedBoard = {
  readonly key: string;
  /** The key of the board that this is a part of, or of itself. */
  readonly whole: string;
  readonly lease: string;
  readonly changes: string;
  readonly split: Split;
  /** How Redis takes an entry: where it is greater, or where it is newer. */
  readonly kind: "r" | "n";
  readonly live: boolean;
  readonly expiry: number | "";
};

export type Place = { readonly player: string; readonly strength: number; readonly tick: number };
export type DefinedEntry = {
  readonly board: DefinedBoard;
  readonly player: string;
  readonly strength?: number;
  readonly tick?: number;
  /** As the board takes entries, unless given; x takes off. */
  readonly mode?: string;
  /** wp unless given. */
  readonly flags?: string;
};

type Options = Partial<Pick<DefinedBoard, "split" | "kind" | "live" | "expiry">>;

export function definedBoard({ keys: { prefix } }: Engine, name: string, options: Options = {}): DefinedBoard {
  const key = `${prefix}:board:${name}.2050-01-10`;
  const [lease, changes] = [`${key}:push`, `${prefix}:changes:${name}.2050-01-10`];
  return { key, whole: key, lease, changes, split: 33, kind: "r", live: true, expiry: WEEK.expiry, ...options };
}

export const partOf = (board: DefinedBoard, segment: string, value: string): DefinedBoard => ({
  ...board,
  key: `${board.key}:${segment}=${value}`,
  live: false,
});

export const timeBitsOf = ({ split }: { split: Split }): number => 63 - split;

export const scoreOf = ({ split }: { split: Split }, { strength, tick }: Omit<Place, "player">): string =>
  textOf(packStrength({ split, timed: true, startsAtMs: 0, unitMs: 1 }, strength, tick));

export const lastTick = ({ split }: { split: Split }): number =>
  lastTickOf({ split, timed: true, startsAtMs: 0, unitMs: 1 });

/** KEYS and ARGV of a submit with items of the default boards and entries of defined ones. */
export function definedCall(engine: Engine, entries: readonly DefinedEntry[], items: readonly Item[] = []) {
  const { keys: list, args, weeks } = engine.submitCall(items, WEEK, nowUs());
  const numberOf = (key: string) => {
    const known = list.indexOf(key, 3 + 3 * weeks.length);
    return known === -1 ? list.push(key) : known + 1;
  };
  for (const { board, player, strength = 0, tick = 0, mode = board.kind, flags } of entries) {
    const isWhole = board.key === board.whole;
    args.push(numberOf(board.key), player, mode === "x" ? "" : scoreOf(board, { strength, tick }), mode);
    args.push(timeBitsOf(board), board.expiry, flags ?? (mode === "x" ? "w" : "wp"));
    args.push(board.live && mode !== "x" ? numberOf(board.lease) : 0);
    args.push(isWhole && mode === "n" ? numberOf(board.changes) : 0);
  }
  args.push(entries.length);
  return { keys: list, args, weeks: weeks.length };
}

export async function submitDefined(engine: Engine, entries: readonly DefinedEntry[], items: readonly Item[] = []) {
  const { keys, args, weeks } = definedCall(engine, entries, items);
  const [status, damaged, ...rest] = await engine.call("submit", keys, args, 3);
  const ofItems = 2 * weeks + 3 * items.length;
  const flat = rest.slice(ofItems);
  if (flat.length !== 2 * entries.length) throw new Error(`reply of a wrong length: ${rest.join(" ")}`);
  const placed = entries.map((_, i) => ({ rank: flat[2 * i], lease: flat[2 * i + 1] }));
  return { status, damaged, items: rest.slice(0, ofItems), placed };
}
