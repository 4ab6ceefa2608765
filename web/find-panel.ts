/** "Find me": the viewer's own place on the board that is shown. */
import { ProblemError } from "../client/index.ts";
import type { Client, EarnedBadge } from "../client/index.ts";
import { byId } from "./dom.ts";
import { showFound } from "./found-view.ts";
import type { Found } from "./found-view.ts";
import type { View } from "./view.ts";

const NEIGHBOURS = 2;

export class FindPanel {
  readonly #client: Client;
  readonly #input = byId("find-player", HTMLInputElement);
  readonly #panel = byId("found", HTMLElement);

  constructor(client: Client, onPlayer: (player: string) => void) {
    this.#client = client;
    byId("find", HTMLFormElement).addEventListener("submit", (event) => {
      event.preventDefault();
      onPlayer(this.#input.value);
    });
  }

  /** Looks the view's player up. `current` tells whether that is still wanted when the answer is there. */
  async read(view: View, current: () => View): Promise<void> {
    if (document.activeElement !== this.#input) this.#input.value = view.player;
    if (view.player === "") return showFound(this.#panel, undefined);
    const found = await this.#look(view);
    if (current() === view) showFound(this.#panel, found);
  }

  async #look({ game, board, country, player }: View): Promise<Found> {
    const badges = await this.#badges(game, player);
    try {
      const narrowed = country === "" || board === "all-time" ? {} : { country };
      return {
        type: "ranked",
        around: await this.#client.around(game, board, player, { k: NEIGHBOURS, ...narrowed }),
        badges,
      };
    } catch (error) {
      const missing = error instanceof ProblemError && error.status < 500 && error.status !== 429;
      return missing ? { type: "not-ranked", player, badges } : { type: "unreachable" };
    }
  }

  /** Badges are an extra: without them the place is still worth showing. */
  async #badges(game: string, player: string): Promise<readonly EarnedBadge[]> {
    try {
      return (await this.#client.badges(game, player)).badges;
    } catch {
      return [];
    }
  }
}
