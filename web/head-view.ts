/** The head of the page: which board, until when, how many play, how many watch, and whether it is live. */
import type { ConnectionState } from "../client/index.ts";
import { weekEnd, weekOf, weekStart } from "../functions/domain/board/week.ts";
import { byId, update } from "./dom.ts";
import { countdown, day, number, weekTitle } from "./format.ts";
import type { View } from "./view.ts";

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
    if (board === "all-time") return this.#times("All weeks, every player's best", "Resets", "never", "");
    const week = board === "current" ? (shownWeek ?? weekOf(nowMs)) : board;
    if (weekStart(week) === undefined) return this.#times("", "Resets", "–", "");
    const endMs = weekEnd(week);
    const end = new Date(endMs).toISOString();
    if (endMs <= nowMs) return this.#times(weekTitle(week, nowMs), "Ended", day(endMs - 1, nowMs), end);
    this.#times(weekTitle(week, nowMs), "Resets in", countdown(endMs - nowMs), end);
  }

  #times(period: string, label: string, text: string, dateTime: string): void {
    if (this.#period.textContent !== period) this.#period.textContent = period;
    if (this.#resetLabel.textContent !== label) this.#resetLabel.textContent = label;
    this.#reset.textContent = text;
    this.#reset.dateTime = dateTime;
  }
}
