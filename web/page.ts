/** The live page: keeps the view, feeds the panels from the socket, and reads over HTTP what the socket does not carry. */
import { createClient } from "../client/index.ts";
import type { ConnectionState, TopMessage } from "../client/index.ts";
import { Announcer } from "./announcer.ts";
import { BoardPanel } from "./board-panel.ts";
import { BoardView } from "./board-view.ts";
import { Controls } from "./controls.ts";
import { byId } from "./dom.ts";
import { showFeed } from "./feed-view.ts";
import { FindPanel } from "./find-panel.ts";
import { HeadView } from "./head-view.ts";
import { showNote } from "./note-view.ts";
import { bindTheme } from "./theme.ts";
import { throttled } from "./throttle.ts";
import { isLive, readView, searchOf } from "./view.ts";
import type { View } from "./view.ts";

const READ_MS = 2_000;
const FEED_MS = 3_000;
const FEED_LENGTH = 8;
/** Without a live socket the page asks this often; a hidden page never does. */
const FALLBACK_MS = 10_000;
const FEED_FALLBACK_MS = 30_000;

let view: View = readView(location.search);
let state: ConnectionState = "connecting";
let live: TopMessage | undefined;

const client = createClient({ baseUrl: "" });
const list = new BoardView(byId("entries", HTMLOListElement));
const head = new HeadView();
const announcer = new Announcer(byId("call", HTMLElement));
const note = byId("note", HTMLElement);
const feed = byId("feed", HTMLOListElement);
const board = new BoardPanel(client, list, head, (next) => showNote(note, next));
const controls = new Controls((choice) => go({ ...view, ...choice }));
const find = new FindPanel(client, (player) => go({ ...view, player }));

const readBoard = throttled(() => board.read(view, () => view), READ_MS);
const readFound = throttled(() => find.read(view, () => view), READ_MS);
const readFeed = throttled(async () => {
  try {
    const { events } = await client.feed(view.game, { n: FEED_LENGTH });
    showFeed(feed, events, Date.now());
  } catch {
    // The board says that the service is out of reach; the old feed is still worth reading.
  }
}, FEED_MS);

function go(next: View): void {
  view = next;
  history.replaceState(null, "", searchOf(view));
  board.reset();
  announcer.clear();
  render();
}

function render(): void {
  controls.show(view, Date.now());
  head.time(view, Date.now());
  list.mark(view.player);
  if (isLive(view) && live) board.take(view, live);
  else readBoard();
  readFound();
}

function takeTop(top: TopMessage): void {
  const newWeek = live !== undefined && live.week !== top.week;
  live = top;
  if (newWeek) controls.show(view, Date.now());
  if (isLive(view)) board.take(view, top);
  else readBoard();
  if (view.player !== "") readFound();
  readFeed();
}

document.title = `${view.game} · Edgeboard`;
byId("game", HTMLElement).textContent = view.game;
bindTheme(byId("theme", HTMLButtonElement));
render();
readFeed();

client.watchTop(view.game, {
  top: takeTop,
  announcement: (announcement) => isLive(view) && announcer.call(announcement),
  badge: ({ player }) => player === view.player && readFound(),
  viewers: (viewers) => head.viewers(viewers),
  state: (next) => {
    state = next;
    head.connection(next);
  },
});

setInterval(() => head.time(view, Date.now()), 1_000);
setInterval(() => {
  if (state !== "live" && !document.hidden) readBoard();
}, FALLBACK_MS);
setInterval(() => {
  if (!document.hidden) readFeed();
}, FEED_FALLBACK_MS);
