/** What stands under the board when there is no board to show, or an old one. */
import { make } from "./dom.ts";

export type Note = "empty-week" | "empty" | "unknown-game" | "unreachable" | undefined;

const TEXTS: Record<Exclude<Note, undefined>, readonly [string, string]> = {
  "empty-week": ["A clean board", "Nobody has scored this week. The first score takes first place."],
  empty: ["Nobody here", "This board has no scores."],
  "unknown-game": ["No such game", "Check the game in the address, as in /?game=arena."],
  unreachable: ["The scoreboard cannot be reached", "It is tried again all the time; what you see may be old."],
};

export function showNote(element: HTMLElement, note: Note): void {
  element.hidden = note === undefined;
  if (note === undefined) return;
  const [title, text] = TEXTS[note];
  element.replaceChildren(make("strong", "", title), text);
}
