/** What the page shows, kept in its address: `/?game=arena&board=all-time&country=DE&player=ada`. */
import { countryOf } from "../functions/domain/country.ts";
import { hasCountries, parseBoard, type Board } from "../functions/domain/board/board.ts";
import { currentBoard } from "../functions/domain/board/time.ts";

export const CURRENT = "current";

export type View = {
  readonly game: string;
  /** `current`, `all-time` or an ISO week. */
  readonly board: string;
  /** Empty: everywhere. */
  readonly country: string;
  /** Empty: no player is looked for. */
  readonly player: string;
};

export function readView(search: string): View {
  const query = new URLSearchParams(search);
  return {
    game: query.get("game") ?? "arena",
    board: query.get("board") ?? "current",
    country: query.get("country")?.toUpperCase() ?? "",
    player: query.get("player") ?? "",
  };
}

export function searchOf(view: View): string {
  const query = new URLSearchParams({ game: view.game });
  if (view.board !== "current") query.set("board", view.board);
  if (view.country !== "") query.set("country", view.country);
  if (view.player !== "") query.set("player", view.player);
  return `?${query.toString()}`;
}

/** What of a view cannot be shown, because there is no such thing. */
export type Fault = "no-game" | "wrong-board" | "wrong-country";

export function faultOf({ game, board, country }: View): Fault | undefined {
  if (game === "") return "no-game";
  if (board !== CURRENT && !parseBoard(board)) return "wrong-board";
  return country !== "" && takesCountry(board) && countryOf(country) === undefined ? "wrong-country" : undefined;
}

/** The board of a view; undefined when there is none of that name. */
export const boardAt = (board: string, nowMs: number): Board | undefined =>
  board === CURRENT ? currentBoard(nowMs) : parseBoard(board);

/** Whether a view of the board can be of one country. */
export function takesCountry(board: string): boolean {
  const named = parseBoard(board);
  return named === undefined || hasCountries(named);
}

/** The view that the socket feeds: the running week, everywhere. */
export function isLive(view: View): boolean {
  return view.board === "current" && view.country === "";
}
