/** "Find me": the viewer's own place on the board that is shown. */
import { ProblemError } from "../client/index.ts";
import type { Client, EarnedBadge } from "../client/index.ts";
import { byId } from "./dom.ts";
import { showFound } from "./found-view.ts";
import type { Found } from "./found-view.ts";
import { faultOf, takesCountry, type View } from "./view.ts";

const NEIGHBOURS = 2;

export class FindPanel {
  readonly #client: Client;
  readonly #input = byId("find-player", HTMLInputElement);
  readonly #panel = byId("found", HTMLElement);
  readonly #onFound: (player: string) => void;

  /** `onPlayer` gets what was typed, `onFound` the player that was meant by it. */
  constructor(client: Client, onPlayer: (player: string) => void, onFound: (player: string) => void) {
    this.#client = client;
    this.#onFound = onFound;
    byId("find", HTMLFormElement).addEventListener("submit", (event) => {
      event.preventDefault();
      onPlayer(this.#input.value);
    });
  }

  /** Puts the view's player into the search. */
  fill({ player }: View): void {
    this.#input.value = player;
  }

  /** Looks the view's player up. `current` tells whether that is still wanted when the answer is there. */
  async read(view: View, current: () => View): Promise<void> {
    if (view.player === "" || faultOf(view)) return showFound(this.#panel, undefined);
    const found = await this.#look(view);
    if (current() !== view) return;
    showFound(this.#panel, found);
    if (found?.type === "ranked") this.#onFound(found.around.entry.player);
  }

  async #look({ game, board, country, player: typed }: View): Promise<Found | undefined> {
    const narrowed = takesCountry(board) && country !== "" ? country : null;
    for (const player of spellings(typed)) {
      try {
        const around = await this.#client.around(game, board, player, { k: NEIGHBOURS, country: narrowed });
        return { type: "ranked", around, badges: await this.#badges(game, player) };
      } catch (error) {
        const code = error instanceof ProblemError ? error.code : "";
        // The board says that there is no such game.
        if (code === "unknown-game") return undefined;
        if (code !== "not-ranked" && code !== "invalid") return { type: "unreachable" };
      }
    }
    return { type: "not-ranked", player: typed, badges: await this.#badges(game, typed) };
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

/** What may be meant by what was typed: first exactly that, then without spaces around it, and with accents written otherwise. */
function spellings(typed: string): string[] {
  const bare = typed.trim();
  return [...new Set([typed, bare, bare.normalize("NFC"), bare.normalize("NFD")])].filter((player) => player !== "");
}
