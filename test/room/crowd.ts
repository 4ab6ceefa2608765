/**
 * Measures a crowd: `node_modules/.bin/node test/room/crowd.ts [sockets] [seconds] [shards]`. Real sockets on a real
 * `partykit dev`, twenty pushes a second; prints what every socket had in the end, and when. Run it in a copy of the
 * clone in which no file is saved: `partykit dev` restarts on that.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { isNewer, roomOf, SocketMessage } from "../../functions/contract/live.ts";
import { weekOf } from "../../functions/domain/board/week.ts";
import { board } from "./boards.ts";
import { push, startRooms } from "./rooms.ts";
import type { Rooms } from "./rooms.ts";

const PUSHES_PER_SECOND = 20;
const CONNECTING_AT_ONCE = 50;
const LAST_BOARD_MS = 30_000;
const GAME = "crowd";
const PLAYERS = "ada bob cat dee eve fay gus hal ivy joe".split(" ");

type Viewer = { version: string; atMs: number; boards: number; wentDown: number; closed: boolean };

const [sockets = 2_000, seconds = 30, shards = 1] = process.argv.slice(2).map(Number);
const week = weekOf(Date.now());
const room = roomOf(GAME, week);

function top(version: number): unknown {
  const places = PLAYERS.map((player, index) => [player, 100_000 - index * 1_000 + version] as const);
  return { ...board(version, places, { game: GAME, week }), shards };
}

function connect(rooms: Rooms, shard: number): Promise<Viewer> {
  const viewer: Viewer = { version: "0", atMs: 0, boards: 0, wentDown: 0, closed: false };
  const id = shard === 0 ? room : roomOf(GAME, week, shard);
  const socket = new WebSocket(`${rooms.url.replace("http", "ws")}/parties/main/${id}`);
  socket.addEventListener("close", () => (viewer.closed = true));
  socket.addEventListener("message", ({ data }) => {
    const message = SocketMessage.parse(JSON.parse(String(data)));
    if (message.type !== "top") return;
    if (isNewer(viewer.version, message.version)) viewer.wentDown += 1;
    Object.assign(viewer, { version: message.version, atMs: performance.now(), boards: viewer.boards + 1 });
  });
  return new Promise((resolve) => socket.addEventListener("open", () => resolve(viewer)));
}

/** Median, 95th percentile and maximum, whole numbers. */
function spread(values: readonly number[]): { p50: number; p95: number; max: number } {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number): number => Math.round(sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN);
  return { p50: at(0.5), p95: at(0.95), max: at(1) };
}

const rooms = await startRooms();
try {
  await push(rooms, room, top(1));
  const viewers: Viewer[] = [];
  while (viewers.length < sockets) {
    const count = Math.min(CONNECTING_AT_ONCE, sockets - viewers.length);
    viewers.push(...(await Promise.all(Array.from({ length: count }, (_, index) => connect(rooms, index % shards)))));
  }
  const pushMs: number[] = [];
  let lost = 0;
  const send = async (version: number): Promise<void> => {
    const startedAt = performance.now();
    try {
      await (await push(rooms, room, top(version))).arrayBuffer();
      pushMs.push(performance.now() - startedAt);
    } catch {
      lost += 1;
    }
  };
  const last = 1 + seconds * PUSHES_PER_SECOND;
  const running: Promise<void>[] = [];
  const startedAt = performance.now();
  for (let version = 2; version <= last; version++) {
    running.push(send(version));
    await sleep(Math.max(0, startedAt + ((version - 1) * 1_000) / PUSHES_PER_SECOND - performance.now()));
  }
  const endedAt = performance.now();
  await Promise.all(running);
  const behind = (): Viewer[] => viewers.filter(({ version }) => version !== String(last));
  while (behind().length > 0 && performance.now() < endedAt + LAST_BOARD_MS) await sleep(10);
  console.log({
    sockets,
    shards,
    pushes: last - 1,
    lost,
    behind: behind().length,
    wentDown: viewers.reduce((sum, viewer) => sum + viewer.wentDown, 0),
    dropped: viewers.filter(({ closed }) => closed).length,
    boardsPerSocket: spread(viewers.map(({ boards }) => boards)),
    lastBoardAfterMs: spread(viewers.map(({ atMs }) => atMs - endedAt)),
    pushMs: spread(pushMs),
  });
} finally {
  await rooms.stop();
  process.exit();
}
