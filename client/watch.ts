/** The live top 10 over a WebSocket that comes back by itself. */
import { WebSocket as ReconnectingWebSocket } from "partysocket";
import { ProblemError } from "./problem-error.ts";
import { onWake } from "./wake.ts";
import type { AnnouncementMessage, BadgeMessage, Live, SocketMessage, TopMessage } from "./types.ts";

/**
 * `live`: the board is current. `reconnecting`: it may be behind for a moment. `offline`: no network, or several
 * attempts in a row failed; attempts go on. `closed`: after `close()`, or for good (unknown game, abuse).
 */
export type ConnectionState = "connecting" | "live" | "reconnecting" | "offline" | "closed";

/** Everything is optional: take what you show. */
export type WatchHandler = {
  /** A newer top 10, whole. Within a week its version never goes down; a new week starts with its own board. */
  readonly top?: (top: TopMessage) => void;
  readonly announcement?: (announcement: AnnouncementMessage) => void;
  readonly badge?: (badge: BadgeMessage) => void;
  readonly viewers?: (viewers: number) => void;
  readonly state?: (state: ConnectionState) => void;
};

export type Watch = { readonly close: () => void };

/** The room closes with 4xxx for good: it takes the viewer for a flood. */
const SENT_AWAY = 4_000;
const OFFLINE_AFTER_RETRIES = 3;
/** An open socket that says nothing for a minute is asked whether it lives; the room answers with the board. */
const QUIET_MS = 60_000;
const ANSWER_MS = 5_000;
const MOVE_SPREAD_MS = 4_000;
const MAX_MOVE_MS = 60_000;

/** Watches the room that `live` names; `live` is asked anew for every connection, so a new week has its new room. */
export function watchTop(live: () => Promise<Live>, handler: WatchHandler): Watch {
  let held: { week: string; version: string } | undefined;
  let state: ConnectionState | undefined;
  let closedMoves = 0;
  let quiet: ReturnType<typeof setTimeout> | undefined;
  let move: ReturnType<typeof setTimeout> | undefined;

  // Spread over some seconds, so that a restarted room is not met by everybody at once.
  const socket = new ReconnectingWebSocket(roomUrl, [], {
    minReconnectionDelay: 400 + Math.random() * 1_600,
    maxReconnectionDelay: 15_000 + Math.random() * 5_000,
    reconnectionDelayGrowFactor: 1.7,
    connectionTimeout: 8_000,
    maxEnqueuedMessages: 1,
    shouldReconnectOnClose: ({ code }) => code < SENT_AWAY,
  });

  async function roomUrl(): Promise<string> {
    try {
      return (await live()).url;
    } catch (error) {
      if (error instanceof ProblemError && error.status === 404) stop();
      throw error;
    }
  }

  function enter(next: ConnectionState): void {
    if (state === next || state === "closed") return;
    state = next;
    handler.state?.(next);
  }

  function lost(): void {
    const noNetwork = typeof navigator !== "undefined" && navigator.onLine === false;
    enter(noNetwork || socket.retryCount >= OFFLINE_AFTER_RETRIES ? "offline" : held ? "reconnecting" : "connecting");
  }

  /** Asks the room for the board; a socket that does not answer is replaced. */
  function resync(): void {
    clearTimeout(quiet);
    if (socket.readyState !== socket.OPEN) return;
    socket.send('{"type":"sync"}');
    quiet = setTimeout(() => socket.reconnect(), ANSWER_MS);
  }

  function heard(): void {
    clearTimeout(quiet);
    quiet = setTimeout(resync, QUIET_MS * (1 + Math.random() / 2));
  }

  function takeTop(top: TopMessage): void {
    enter("live");
    if (held && (top.week < held.week || (top.week === held.week && BigInt(top.version) <= BigInt(held.version))))
      return;
    if (held?.week !== top.week) closedMoves = 0;
    held = { week: top.week, version: top.version };
    handler.top?.(top);
  }

  function moveOn(): void {
    clearTimeout(move);
    const delayMs = Math.min(MAX_MOVE_MS, Math.random() * MOVE_SPREAD_MS * 2 ** closedMoves);
    closedMoves += 1;
    move = setTimeout(() => socket.reconnect(), delayMs);
  }

  socket.addEventListener("message", ({ data }) => {
    heard();
    const message = parse(data);
    if (message?.type === "top") takeTop(message);
    if (message?.type === "announcement") handler.announcement?.(message);
    if (message?.type === "badge") handler.badge?.(message);
    if (message?.type === "viewers") handler.viewers?.(message.viewers);
    if (message?.type === "closed") moveOn();
  });
  socket.addEventListener("open", heard);
  socket.addEventListener("error", lost);
  socket.addEventListener("close", ({ code }) => {
    clearTimeout(quiet);
    if (code >= SENT_AWAY) stop();
    else lost();
  });
  const stopWaking = onWake({ resync, restart: () => socket.reconnect(), lost });
  enter("connecting");

  function stop(): void {
    stopWaking();
    clearTimeout(quiet);
    clearTimeout(move);
    enter("closed");
    socket.close();
  }

  return { close: stop };
}

/** A room sends JSON of the contract; what this version does not know is left alone. */
function parse(data: unknown): SocketMessage | undefined {
  if (typeof data !== "string") return undefined;
  try {
    return JSON.parse(data) as SocketMessage;
  } catch {
    return undefined;
  }
}
