/** The panel with one player's place, neighbours and badges. */
import type { AroundResponse, EarnedBadge } from "../client/index.ts";
import { make } from "./dom.ts";
import { number } from "./format.ts";

export type Found =
  | { readonly type: "ranked"; readonly around: AroundResponse; readonly badges: readonly EarnedBadge[] }
  | { readonly type: "not-ranked"; readonly player: string; readonly badges: readonly EarnedBadge[] }
  | { readonly type: "unreachable" };

export function showFound(panel: HTMLElement, found: Found | undefined): void {
  if (!found) return panel.replaceChildren();
  if (found.type === "unreachable") return panel.replaceChildren(note("The scoreboard cannot be reached right now."));
  const badges = found.badges.length === 0 ? [] : [badgeList(found.badges)];
  if (found.type === "not-ranked") {
    return panel.replaceChildren(note(`${found.player} has no points on this board yet.`), ...badges);
  }
  panel.replaceChildren(standing(found.around), ...badges, neighbours(found.around));
}

function note(text: string): HTMLElement {
  return make("p", "found-note", text);
}

function standing({ entry, boardSize }: AroundResponse): HTMLElement {
  return make(
    "p",
    "standing",
    make("b", "", `#${number(entry.rank)}`),
    make("span", "", `of ${number(boardSize)} with ${number(entry.points)} points`),
  );
}

function badgeList(badges: readonly EarnedBadge[]): HTMLElement {
  const items = badges.map(({ badge, threshold }) => {
    const item = make("li", "", badge);
    item.dataset["badge"] = badge;
    item.title = `${number(threshold)} points in one game`;
    return item;
  });
  const list = make("ol", "badges", ...items);
  list.setAttribute("aria-label", "Badges");
  return list;
}

function neighbours({ entries, entry: me }: AroundResponse): HTMLElement {
  const rows = entries.map((entry) => {
    const name = make("span", "name", entry.player);
    name.dir = "auto";
    const row = make(
      "li",
      entry.player === me.player ? "me" : "",
      make("span", "rank", `#${number(entry.rank)}`),
      name,
      make("span", "", number(entry.points)),
    );
    if (entry.player === me.player) row.setAttribute("aria-current", "true");
    return row;
  });
  const list = make("ol", "around", ...rows);
  list.setAttribute("aria-label", "Places around");
  return list;
}
