/** What the page shows, kept in its address: `/?game=arena&board=all-time&country=DE&player=ada`. */
import { countryOf } from "../functions/domain/country.ts";
import { weekStart } from "../functions/domain/board/week.ts";

export type View = {
  readonly game: string;
  /** `current`, `all-time` or an ISO week. */
  readonly board: string;
  /** Empty: everywhere. */
  readonly country: string;
  /** Empty: nobody is looked for. */
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
  if (board !== "current" && board !== "all-time" && weekStart(board) === undefined) return "wrong-board";
  return country !== "" && board !== "all-time" && countryOf(country) === undefined ? "wrong-country" : undefined;
}

/** The view that the socket feeds: the running week, everywhere. */
export function isLive(view: View): boolean {
  return view.board === "current" && view.country === "";
}
