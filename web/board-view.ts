/** The list of the best: a row for each player, kept while the player stays on the board. */
import type { Entry } from "../client/index.ts";
import { countTo } from "./count-up.ts";
import { make, update } from "./dom.ts";
import { glide } from "./glide.ts";
import { number } from "./format.ts";
import { nameElement, nameText } from "./names.ts";

type Row = {
  readonly item: HTMLLIElement;
  readonly place: HTMLElement;
  readonly name: HTMLElement;
  readonly shift: HTMLElement;
  readonly points: HTMLElement;
  rank: number;
  value: number;
};

export class BoardView {
  readonly #list: HTMLElement;
  #rows = new Map<string, Row>();
  #me = "";

  constructor(list: HTMLElement) {
    this.#list = list;
    this.clear();
  }

  /** Three empty places: nothing is known yet, or there are no scores. */
  clear(): void {
    this.#rows = new Map();
    const ghosts = [1, 2, 3].map((rank) =>
      make("li", "entry ghost", make("span", "place", String(rank)), make("span", "player", "–")),
    );
    for (const ghost of ghosts) ghost.setAttribute("aria-hidden", "true");
    this.#list.replaceChildren(...ghosts);
  }

  /** Shows the entries; `fresh` means another board than before, so that nothing glides or flashes. */
  show(entries: readonly Entry[], fresh: boolean): void {
    if (entries.length === 0) return this.clear();
    if (fresh) this.#rows = new Map();
    const change = (): void => this.#arrange(entries, fresh);
    if (fresh) change();
    else glide(this.#list, change);
  }

  /** Marks the row of the player that the viewer looks for. */
  mark(player: string): void {
    this.#me = player;
    for (const [name, row] of this.#rows) this.#tag(row, name);
  }

  #arrange(entries: readonly Entry[], fresh: boolean): void {
    const best = entries[0]?.points ?? 0;
    const hadRows = this.#rows.size > 0;
    const rows = new Map<string, Row>();
    for (const entry of entries) {
      const known = this.#rows.get(entry.player);
      const row = known ?? makeRow(entry);
      if (!fresh && hadRows) celebrate(row, known, entry);
      row.rank = entry.rank;
      row.value = entry.points;
      row.place.textContent = String(entry.rank);
      countTo(row.points, entry.points);
      row.item.style.setProperty("--share", String(best === 0 ? 0 : Math.max(0.02, entry.points / best)));
      this.#tag(row, entry.player);
      rows.set(entry.player, row);
    }
    this.#rows = rows;
    reorder(
      this.#list,
      [...rows.values()].map((row) => row.item),
    );
  }

  #tag(row: Row, player: string): void {
    update(row.name, nameElement(player), ...(player === this.#me ? [make("span", "tag", "you")] : []));
  }
}

function makeRow(entry: Entry): Row {
  const place = make("span", "place");
  const name = make("span", "player");
  const shift = make("span", "shift");
  shift.setAttribute("aria-hidden", "true");
  const points = make("span", "points");
  const unit = make("span", "visually-hidden", " points");
  const item = make("li", "entry", place, name, shift, make("span", "", points, unit));
  item.title = nameText(entry.player);
  return { item, place, name, shift, points, rank: entry.rank, value: entry.points };
}

/** A player who came in or scored more lights up, with the number of places that they went up. */
function celebrate(row: Row, known: Row | undefined, entry: Entry): void {
  if (known && entry.points <= known.value) return void (row.shift.textContent = "");
  const up = known ? known.rank - entry.rank : 0;
  row.shift.textContent = known ? (up > 0 ? `▲ ${number(up)}` : "") : "new";
  row.item.classList.remove("rose");
  // Reading a layout value lets the animation start anew.
  void row.item.offsetWidth;
  row.item.classList.add("rose");
}

/** Puts the items in order and takes out all others, touching only what has to move: focus and scroll stay. */
function reorder(list: HTMLElement, items: readonly HTMLElement[]): void {
  const staying = new Set<Element>(items);
  for (const child of Array.from(list.children)) if (!staying.has(child)) child.remove();
  for (const [index, item] of items.entries()) {
    if (list.children[index] !== item) list.insertBefore(item, list.children[index] ?? null);
  }
}
