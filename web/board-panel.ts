/** The board that the view names: fed by the socket when it is the live one, else read again when that moves. */
import { ProblemError } from "../client/index.ts";
import type { Client, Entry } from "../client/index.ts";
import type { BoardView } from "./board-view.ts";
import type { HeadView } from "./head-view.ts";
import type { Note } from "./note-view.ts";
import { faultOf, isLive, takesCountry, type View } from "./view.ts";

export type Board = {
  readonly week: string;
  readonly version: string;
  readonly boardSize: number;
  readonly entries: readonly Entry[];
};

type Shown = Pick<Board, "week" | "version"> & { readonly key: string };

export class BoardPanel {
  readonly #client: Client;
  readonly #list: BoardView;
  readonly #head: HeadView;
  readonly #note: (note: Note) => void;
  #shown: Shown | undefined;

  constructor(client: Client, list: BoardView, head: HeadView, note: (note: Note) => void) {
    this.#client = client;
    this.#list = list;
    this.#head = head;
    this.#note = note;
  }

  /** The week of the board that is shown; undefined while none is. */
  get week(): string | undefined {
    return this.#shown?.week;
  }

  /** Another view: what is on the page is not it. */
  reset(): void {
    this.#shown = undefined;
    this.#list.clear();
    this.#head.players(undefined);
    this.#note(undefined);
  }

  /** Reads the view's board. `current` tells whether the viewer still wants that view when the answer is there. */
  async read(view: View, current: () => View): Promise<void> {
    const fault = faultOf(view);
    if (fault) return this.#note(fault);
    try {
      const query = view.country !== "" && takesCountry(view.board) ? { country: view.country } : {};
      const { board, version, boardSize, entries } = await this.#client.top(view.game, view.board, query);
      if (current() === view) this.take(view, { week: board, version, boardSize, entries });
    } catch (error) {
      if (current() !== view) return;
      this.#note(noteOf(error));
    }
  }

  /** Shows a board of the view, unless a newer one of the same week is there already (an answer can be late). */
  take(view: View, board: Board): void {
    const key = `${view.board} ${view.country}`;
    const shown = this.#shown?.key === key ? this.#shown : undefined;
    if (shown && isLive(view) && isOlder(board, shown)) return this.#note(noteFor(view, board));
    this.#shown = { key, week: board.week, version: board.version };
    this.#list.show(board.entries, shown?.week !== board.week);
    this.#head.players(board.boardSize);
    this.#note(noteFor(view, board));
  }
}

function noteFor(view: View, { entries }: Board): Note {
  if (entries.length > 0) return undefined;
  return view.board === "current" ? "empty-week" : "empty";
}

function noteOf(error: unknown): Note {
  const code = error instanceof ProblemError ? error.code : "";
  if (code === "unknown-game") return "unknown-game";
  return code === "invalid" ? "wrong-board" : "unreachable";
}

/** The same version again may bring another size. */
function isOlder(board: Board, shown: Shown): boolean {
  if (board.week !== shown.week) return board.week < shown.week;
  return BigInt(board.version) < BigInt(shown.version);
}
