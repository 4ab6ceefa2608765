/** The panel with one player's place, neighbours and badges. */
import type { AroundResponse, EarnedBadge } from "../client/index.ts";
import { make, update } from "./dom.ts";
import { number } from "./format.ts";
import { nameElement } from "./names.ts";

export type Found =
  | { readonly type: "ranked"; readonly around: AroundResponse; readonly badges: readonly EarnedBadge[] }
  | { readonly type: "not-ranked"; readonly player: string; readonly badges: readonly EarnedBadge[] }
  | { readonly type: "unreachable" };

export function showFound(panel: HTMLElement, found: Found | undefined): void {
  if (!found) return update(panel);
  if (found.type === "unreachable") return update(panel, note("The scoreboard cannot be reached right now."));
  const badges = found.badges.length === 0 ? [] : [badgeList(found.badges)];
  if (found.type === "not-ranked") {
    return update(panel, note(nameElement(found.player), " has no points on this board yet."), ...badges);
  }
  update(panel, standing(found.around), ...badges, neighbours(found.around));
}

function note(...text: (Node | string)[]): HTMLElement {
  return make("p", "found-note", ...text);
}

function standing({ entry, boardSize }: AroundResponse): HTMLElement {
  const sentence = make(
    "p",
    "standing",
    make("b", "", `#${number(entry.rank)}`),
    make("span", "", `of ${number(boardSize)} with ${number(entry.points)} points`),
  );
  sentence.setAttribute("aria-atomic", "true");
  return sentence;
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
    const row = make(
      "li",
      entry.player === me.player ? "me" : "",
      make("span", "rank", `#${number(entry.rank)}`),
      nameElement(entry.player),
      make("span", "", number(entry.points)),
    );
    if (entry.player === me.player) row.setAttribute("aria-current", "true");
    return row;
  });
  const list = make("ol", "around", ...rows);
  list.setAttribute("aria-label", "Places around");
  // The panel is read aloud when it changes; what others do is not worth that.
  list.setAttribute("aria-live", "off");
  return list;
}
