/** What the page shows, kept in its address: `/?game=arena&board=all-time&country=DE&player=ada`. */
import { weekStart } from "../functions/domain/week.ts";

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
  const board = query.get("board") ?? "current";
  return {
    game: query.get("game") ?? "arena",
    board: board === "all-time" || weekStart(board) !== undefined ? board : "current",
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

/** The view that the socket feeds: the running week, everywhere. */
export function isLive(view: View): boolean {
  return view.board === "current" && view.country === "";
}
