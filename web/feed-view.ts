/** The latest submissions. */
import type { FeedEvent } from "../client/index.ts";
import { make, update } from "./dom.ts";
import { ago, number } from "./format.ts";
import { nameElement } from "./names.ts";

export function showFeed(list: HTMLElement, events: readonly FeedEvent[], nowMs: number): void {
  if (events.length === 0) return update(list, make("li", "", make("small", "", "Nothing yet.")));
  update(list, ...events.map((event) => row(event, nowMs)));
}

function row(event: FeedEvent, nowMs: number): HTMLElement {
  const when = make("time", "", ago(nowMs - Date.parse(event.submittedAt)));
  when.dateTime = event.submittedAt;
  const place = event.rank === null ? "" : `#${number(event.rank)} · `;
  const best = event.points < event.best ? ` · best ${number(event.best)}` : "";
  return make(
    "li",
    "",
    nameElement(event.player),
    make("span", "score", number(event.points)),
    make("small", "", place, when, best),
  );
}
