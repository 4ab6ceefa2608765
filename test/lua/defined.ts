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

export function definedBoard(
  { keys: { prefix } }: Pick<Engine, "keys">,
  name: string,
  options: Options = {},
): DefinedBoard {
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

const keysToRead = ({ keys }: Pick<Engine, "keys">, board: DefinedBoard) => [
  keys.activity,
  board.key,
  keys.moderated,
  board.whole,
  board.kind === "n" ? board.changes : board.key,
];

function rangeOf(reply: readonly string[]) {
  const [status, size, version = "", firstRank, competitionRank, ...flat] = reply;
  const entries = flat.flatMap((player, i) => (i % 2 === 0 ? [{ player, score: Number(flat[i + 1]) }] : []));
  return { status, size: Number(size), version, firstRank, competitionRank, entries };
}

/** What reads answer about a board. */
export function readsOf(engine: Pick<Engine, "keys" | "call">, board: DefinedBoard) {
  const keys = keysToRead(engine, board);
  const head = [board.kind, timeBitsOf(board)];
  const call = (verb: string, args: readonly (string | number)[], list: readonly string[] = keys) =>
    engine.call(verb, list, args, 3);
  return {
    top: async (count = 10, after?: Place) =>
      rangeOf(await call("range", [...head, "top", count, ...(after ? [scoreOf(board, after), after.player] : [])])),
    around: async (player: string, k: number) => rangeOf(await call("range", [...head, "around", k, player])),
    push: async () => rangeOf(await call("push", head, [...keys, board.lease])),
    among: (players: readonly string[], ranked: "1" | "" = "1") => call("among", [ranked, ...players]),
    place: (strength: number) =>
      call("place", [scoreOf(board, { strength, tick: lastTick(board) }), timeBitsOf(board)]),
    places: (ranks: readonly number[]) => call("places", ranks),
  };
}

/** Sets a player's entries to what Postgres says; undefined removes. */
export function setDefined(
  engine: Engine,
  player: string,
  boards: readonly (readonly [DefinedBoard, Omit<Place, "player"> | undefined])[],
  moderated: number | string = nowUs(),
) {
  const { moderated: front } = engine.keys;
  const keys = boards.flatMap(([board]) => {
    const isWhole = board.key === board.whole;
    return [board.key, board.live ? board.lease : front, isWhole && board.kind === "n" ? board.changes : board.key];
  });
  const args = boards.flatMap(([board, place]) => [
    place ? scoreOf(board, place) : "",
    timeBitsOf(board),
    board.kind,
    board.expiry,
    board.key === board.whole ? "top" : "",
  ]);
  return engine.call("set", [front, ...keys], [player, moderated, ...args], 3);
}

/** One board of a fill or a page. */
export function fillingDefined(
  board: DefinedBoard,
  places: readonly Place[],
  removals: readonly string[] = [],
  flags: "" | "d" = "",
) {
  const newer = board.kind === "n" && board.key === board.whole;
  const bits = newer ? [timeBitsOf(board)] : [];
  const entries = places.flatMap((place) => [scoreOf(board, place), place.player]);
  const head = ["", board.expiry, `${flags}${newer ? "n" : "r"}`, places.length, removals.length, ...bits];
  return { keys: newer ? [board.key, board.changes] : [board.key], args: [...head, ...entries, ...removals] };
}
