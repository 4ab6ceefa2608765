/** The head of the page: which board, until when, how many play, how many watch, and whether it is live. */
import type { ConnectionState } from "../client/index.ts";
import { byId, update } from "./dom.ts";
import { countdown, day, number, weekTitle } from "./format.ts";
import { boardAt, CURRENT, type View } from "./view.ts";

const STATES: Record<ConnectionState, string> = {
  connecting: "Connecting",
  live: "Live",
  reconnecting: "Reconnecting",
  offline: "Offline",
  "unknown-game": "Not connected",
  closed: "Not connected",
};

export class HeadView {
  readonly #connection = byId("connection", HTMLElement);
  readonly #viewers = byId("viewers", HTMLElement);
  readonly #period = byId("period", HTMLElement);
  readonly #players = byId("players", HTMLElement);
  readonly #reset = byId("reset", HTMLTimeElement);
  readonly #resetLabel = byId("reset-label", HTMLElement);

  connection(state: ConnectionState): void {
    this.#connection.dataset["state"] = state;
    update(this.#connection, STATES[state]);
    if (state !== "live") this.#viewers.hidden = true;
  }

  viewers(count: number): void {
    this.#viewers.hidden = count === 0;
    this.#viewers.textContent = `${number(count)} watching`;
  }

  players(count: number | undefined): void {
    this.#players.textContent = count === undefined ? "–" : number(count);
  }

  /**
   * The week and its end, of the board that is shown (`shownWeek`) before what the clock says. Also runs every second, for
   * the countdown.
   */
  time({ board }: View, shownWeek: string | undefined, nowMs: number): void {
    const shown = boardAt(board === CURRENT ? (shownWeek ?? board) : board, nowMs);
    if (!shown) return this.#times("", "Resets", "–", "");
    const { name, period } = shown;
    if (!period) return this.#times("All weeks, every player's best", "Resets", "never", "");
    const [title, endMs] = [weekTitle(name, period, nowMs), period.endsAtMs];
    const end = new Date(endMs).toISOString();
    if (endMs <= nowMs) return this.#times(title, "Ended", day(endMs - 1, nowMs), end);
    this.#times(title, "Resets in", countdown(endMs - nowMs), end);
  }

  #times(period: string, label: string, text: string, dateTime: string): void {
    if (this.#period.textContent !== period) this.#period.textContent = period;
    if (this.#resetLabel.textContent !== label) this.#resetLabel.textContent = label;
    this.#reset.textContent = text;
    this.#reset.dateTime = dateTime;
  }
}
