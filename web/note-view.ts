/** What stands under the board when there is no board to show, or an old one. */
import { make, update } from "./dom.ts";
import type { Fault } from "./view.ts";

export type Note = "empty-week" | "empty" | "unknown-game" | "unreachable" | Fault | undefined;

const TEXTS: Record<Exclude<Note, undefined>, readonly [string, string]> = {
  "empty-week": ["A clean board", "Nobody has scored this week. The first score takes first place."],
  empty: ["Nobody here", "This board has no scores."],
  "no-game": ["Which game?", "The address names none; it should, as in /?game=arena."],
  "wrong-board": ["No such board", "Choose one above: this week, all time, or an earlier week."],
  "wrong-country": ["No such country", "The address names a country by a code that none has. Choose one above."],
  "unknown-game": ["No such game", "Check the game in the address, as in /?game=arena."],
  unreachable: ["The scoreboard cannot be reached", "It is tried again all the time; what you see may be old."],
};

export function showNote(element: HTMLElement, note: Note): void {
  element.hidden = note === undefined;
  if (note === undefined) return update(element);
  const [title, text] = TEXTS[note];
  update(element, make("strong", "", title), text);
}
