/** The live page: keeps the view, feeds the panels from the socket, and reads over HTTP what the socket does not carry. */
import { createClient } from "../client/index.ts";
import type { ConnectionState, TopMessage } from "../client/index.ts";
import { currentBoard } from "../functions/domain/board/time.ts";
import { Announcer } from "./announcer.ts";
import { BoardPanel } from "./board-panel.ts";
import { BoardView } from "./board-view.ts";
import { serverClock } from "./clock.ts";
import { Controls } from "./controls.ts";
import { byId, update } from "./dom.ts";
import { showFeed } from "./feed-view.ts";
import { FindPanel } from "./find-panel.ts";
import { HeadView } from "./head-view.ts";
import { nameElement, nameText } from "./names.ts";
import { showNote } from "./note-view.ts";
import { bindTheme } from "./theme.ts";
import { throttled } from "./throttle.ts";
import { faultOf, isLive, readView, searchOf } from "./view.ts";
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
/** The player that is looked for, as the board has the name. */
let me = "";
/** Week that the list of earlier weeks was made in. */
let listedIn = "";
let ticking: ReturnType<typeof setInterval> | undefined;

const clock = serverClock();
const client = createClient({ baseUrl: "", fetch: clock.fetch });
const list = new BoardView(byId("entries", HTMLOListElement));
const head = new HeadView();
const announcer = new Announcer(byId("call", HTMLElement));
const note = byId("note", HTMLElement);
const feed = byId("feed", HTMLOListElement);
const board = new BoardPanel(client, list, head, (next) => showNote(note, next));
const controls = new Controls((choice) => go({ ...view, ...choice }));
const find = new FindPanel(
  client,
  (player) => go({ ...view, player }),
  (player) => mark(player),
);

const readBoard = throttled(async () => {
  await board.read(view, () => view);
  if (!faultOf(view)) tick();
}, READ_MS);
const readFound = throttled(() => find.read(view, () => view), READ_MS);
const readFeed = throttled(async () => {
  try {
    const { events } = await client.feed(view.game, { n: FEED_LENGTH });
    showFeed(feed, events, clock.now());
  } catch {
    // The board says that the service is out of reach; the old feed is still worth reading.
  }
}, FEED_MS);

/** Shows a view that the viewer chose: Back leads to the one before. */
function go(next: View): void {
  if (searchOf(next) !== searchOf(view)) history.pushState(null, "", searchOf(next));
  show(next);
}

function show(next: View): void {
  view = next;
  board.reset();
  announcer.clear();
  render();
}

function render(): void {
  listWeeks();
  mark(view.player);
  if (isLive(view) && live) board.take(view, live);
  else readBoard.now();
  if (ticking) tick();
  readFound.now();
}

function takeTop(top: TopMessage): void {
  const moved = live?.version !== top.version || live.week !== top.week;
  live = top;
  if (isLive(view)) board.take(view, top);
  tick();
  // Only the size changed: that is worth no request of every viewer.
  if (!moved) return;
  if (!isLive(view)) readBoard.soon();
  if (view.player !== "") readFound.soon();
  readFeed.soon();
}

function mark(player: string): void {
  me = player;
  list.mark(player);
}

function listWeeks(): void {
  listedIn = currentBoard(clock.now()).name;
  controls.show(view, clock.now());
}

/** What changes with time alone, every second from the first answer on: before, only the device's clock is known. */
function tick(): void {
  ticking ??= setInterval(tick, 1_000);
  head.time(view, board.week, clock.now());
  if (currentBoard(clock.now()).name !== listedIn) listWeeks();
}

function start(): void {
  document.title = `${nameText(view.game)} · Edgeboard`;
  update(byId("game", HTMLElement), nameElement(view.game));
  readFeed.soon();
  watch();
  setInterval(() => {
    if (state !== "live" && state !== "unknown-game" && !document.hidden) readBoard.soon();
  }, FALLBACK_MS);
  setInterval(() => {
    if (!document.hidden) readFeed.soon();
  }, FEED_FALLBACK_MS);
}

function watch(): void {
  client.watchTop(view.game, {
    top: takeTop,
    announcement: (announcement) => isLive(view) && announcer.call(announcement),
    badge: ({ player }) => player === me && readFound.soon(),
    viewers: (viewers) => head.viewers(viewers),
    state: (next) => {
      state = next;
      head.connection(next);
    },
  });
}

bindTheme(byId("theme", HTMLButtonElement));
find.fill(view);
render();
addEventListener("popstate", () => {
  const next = readView(location.search);
  // A jump inside the page is an event like this one.
  if (searchOf(next) === searchOf(view)) return;
  show(next);
  find.fill(next);
});
if (faultOf(view) === "no-game") head.connection("closed");
else start();
