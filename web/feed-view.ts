/** The latest submissions. */
import type { FeedEvent } from "../client/index.ts";
import { make } from "./dom.ts";
import { ago, number } from "./format.ts";

export function showFeed(list: HTMLElement, events: readonly FeedEvent[], nowMs: number): void {
  if (events.length === 0) return list.replaceChildren(make("li", "", make("small", "", "Nothing yet.")));
  list.replaceChildren(...events.map((event) => row(event, nowMs)));
}

function row(event: FeedEvent, nowMs: number): HTMLElement {
  const name = make("span", "name", event.player);
  name.dir = "auto";
  const when = make("time", "", ago(nowMs - Date.parse(event.submittedAt)));
  when.dateTime = event.submittedAt;
  const place = event.rank === null ? "" : `#${number(event.rank)} · `;
  const best = event.points < event.best ? ` · best ${number(event.best)}` : "";
  return make("li", "", name, make("span", "score", number(event.points)), make("small", "", place, when, best));
}
