/** The choice of the board: period, earlier week, country. */
import { keptWeeks, weekStart } from "../functions/domain/board/week.ts";
import { countryChoices } from "./countries.ts";
import { byId } from "./dom.ts";
import { weekTitle } from "./format.ts";
import type { View } from "./view.ts";

export type Choice = Pick<View, "board" | "country">;

export class Controls {
  readonly #form = byId("views", HTMLFormElement);
  readonly #weeks = byId("weeks", HTMLSelectElement);
  readonly #countries = byId("countries", HTMLSelectElement);

  constructor(onChoice: (choice: Choice) => void) {
    this.#countries.append(
      new Option("Everywhere", ""),
      ...countryChoices().map(({ code, name }) => new Option(name, code)),
    );
    this.#weeks.addEventListener("change", () =>
      onChoice({ board: this.#weeks.value || "current", country: this.#countries.value }),
    );
    this.#countries.addEventListener("change", () =>
      onChoice({ board: this.#board(), country: this.#countries.value }),
    );
    for (const period of this.#periods()) {
      period.addEventListener("change", () => onChoice({ board: period.value, country: this.#countries.value }));
    }
    this.#form.addEventListener("submit", (event) => event.preventDefault());
  }

  /** Brings the controls in line with the view. The all-time board has no countries. */
  show({ board, country }: Choice, nowMs: number): void {
    const earlier = keptWeeks(nowMs).slice(1);
    if (weekStart(board) !== undefined && !earlier.includes(board)) earlier.push(board);
    this.#weeks.replaceChildren(
      new Option("Earlier weeks", ""),
      ...earlier.map((week) => new Option(weekTitle(week, nowMs), week)),
    );
    this.#weeks.value = earlier.includes(board) ? board : "";
    for (const period of this.#periods()) period.checked = period.value === board;
    this.#countries.value = board === "all-time" ? "" : country;
    this.#countries.disabled = board === "all-time";
  }

  #board(): string {
    return this.#periods().find((period) => period.checked)?.value ?? (this.#weeks.value || "current");
  }

  #periods(): HTMLInputElement[] {
    return [...this.#form.querySelectorAll<HTMLInputElement>("input[name=period]")];
  }
}
