/** The choice of the board: period, earlier week, country. */
import { parseBoard } from "../functions/domain/board/board.ts";
import { keptBoards } from "../functions/domain/board/time.ts";
import { countryChoices } from "./countries.ts";
import { byId } from "./dom.ts";
import { weekTitle } from "./format.ts";
import { takesCountry, type View } from "./view.ts";

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

  /** Brings the controls in line with the view. */
  show({ board, country }: Choice, nowMs: number): void {
    const earlier = keptBoards(nowMs).slice(1);
    const named = parseBoard(board);
    if (named?.period && !earlier.some(({ name }) => name === board)) earlier.push(named);
    this.#weeks.replaceChildren(
      new Option("Earlier weeks", ""),
      ...earlier.map(({ name, period }) => new Option(period ? weekTitle(name, period, nowMs) : name, name)),
    );
    this.#weeks.value = named?.period ? board : "";
    for (const period of this.#periods()) period.checked = period.value === board;
    this.#countries.value = takesCountry(board) ? country : "";
    this.#countries.disabled = !takesCountry(board);
  }

  #board(): string {
    return this.#periods().find((period) => period.checked)?.value ?? (this.#weeks.value || "current");
  }

  #periods(): HTMLInputElement[] {
    return [...this.#form.querySelectorAll<HTMLInputElement>("input[name=period]")];
  }
}
