/** The live top 10 over a WebSocket that comes back by itself. */
import { WebSocket as ReconnectingWebSocket } from "partysocket";
import { ProblemError } from "./problem-error.ts";
import { onWake } from "./wake.ts";
import type { AnnouncementMessage, BadgeMessage, Live, SocketMessage, TopMessage } from "./types.ts";

/**
 * `live`: the board is current. `reconnecting`: it may be behind for a moment. `offline`: no network, or several
 * attempts in a row failed; attempts go on. `unknown-game`: the service knows no such game; it is asked again, slowly.
 * `closed`: after `close()`, or for good (the room took this client for a flood).
 */
export type ConnectionState = "connecting" | "live" | "reconnecting" | "offline" | "unknown-game" | "closed";

/** Everything is optional: take what you show. */
export type WatchHandler = {
  /**
   * A newer top 10, whole, or the same with another `boardSize`. Within a week its version never goes down; a new week
   * starts with its own board.
   */
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
/** However often a page wakes up, it asks and reconnects this often: a room takes more for a flood. */
const WAKE_MS = 3_000;
const MOVE_SPREAD_MS = 4_000;
const MAX_MOVE_MS = 60_000;
/** An unknown game may be made a moment later: it is asked for again after two seconds, then ever more slowly. */
const UNKNOWN_MS = 2_000;
const MAX_UNKNOWN_MS = 30_000;

/** Watches the room that `live` names; `live` is asked anew for every connection, so a new week has its new room. */
export function watchTop(live: () => Promise<Live>, handler: WatchHandler): Watch {
  let held: Pick<TopMessage, "week" | "version" | "boardSize"> | undefined;
  let state: ConnectionState | undefined;
  let closedMoves = 0;
  let asked = false;
  let askedAtMs = -Infinity;
  let connectedAtMs = -Infinity;
  let quiet: ReturnType<typeof setTimeout> | undefined;
  let move: ReturnType<typeof setTimeout> | undefined;
  let unknown: ReturnType<typeof setTimeout> | undefined;

  // Spread over some seconds, so that not all clients meet a restarted room at once.
  const socket = new ReconnectingWebSocket(roomUrl, [], {
    minReconnectionDelay: 400 + Math.random() * 1_600,
    maxReconnectionDelay: 15_000 + Math.random() * 5_000,
    reconnectionDelayGrowFactor: 1.7,
    connectionTimeout: 8_000,
    maxEnqueuedMessages: 1,
    shouldReconnectOnClose: ({ code }) => code < SENT_AWAY,
  });

  async function roomUrl(): Promise<string> {
    for (let waitMs = UNKNOWN_MS; ; waitMs = Math.min(MAX_UNKNOWN_MS, waitMs * 2)) {
      try {
        return (await live()).url;
      } catch (error) {
        if (!(error instanceof ProblemError) || error.code !== "unknown-game") throw error;
      }
      enter("unknown-game");
      await new Promise((resolve) => {
        unknown = setTimeout(resolve, waitMs * (1 + Math.random() / 2));
        if (state === "closed") clearTimeout(unknown);
      });
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

  function connect(): void {
    connectedAtMs = performance.now();
    socket.reconnect();
  }

  function connectIn(delayMs: number): void {
    clearTimeout(move);
    move = setTimeout(connect, delayMs);
  }

  /** Asks the room for the board, now or when the last question is old enough; a socket that does not answer is replaced. */
  function resync(): void {
    if (socket.readyState !== socket.OPEN || asked) return;
    clearTimeout(quiet);
    const waitMs = askedAtMs + WAKE_MS - performance.now();
    if (waitMs > 0) return void (quiet = setTimeout(resync, waitMs));
    asked = true;
    askedAtMs = performance.now();
    socket.send('{"type":"sync"}');
    quiet = setTimeout(connect, ANSWER_MS);
  }

  function heard(): void {
    asked = false;
    clearTimeout(quiet);
    quiet = setTimeout(resync, QUIET_MS * (1 + Math.random() / 2));
  }

  function takeTop(top: TopMessage): void {
    enter("live");
    if (held && !isNews(top, held)) return;
    if (held?.week !== top.week) closedMoves = 0;
    held = top;
    handler.top?.(top);
  }

  function moveOn(): void {
    connectIn(Math.min(MAX_MOVE_MS, Math.random() * MOVE_SPREAD_MS * 2 ** closedMoves));
    closedMoves += 1;
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
    asked = false;
    if (code >= SENT_AWAY) stop();
    else lost();
  });
  const restart = (): void => connectIn(Math.max(0, connectedAtMs + WAKE_MS - performance.now()));
  const stopWaking = onWake({ resync, restart, lost });
  enter("connecting");

  function stop(): void {
    stopWaking();
    clearTimeout(quiet);
    clearTimeout(move);
    clearTimeout(unknown);
    enter("closed");
    socket.close();
  }

  return { close: stop };
}

/** Sizes change without the top 10: of two boards of the same version, the one that was sent last is the newer one. */
function isNews(top: TopMessage, held: Pick<TopMessage, "week" | "version" | "boardSize">): boolean {
  if (top.week !== held.week) return top.week > held.week;
  if (top.version === held.version) return top.boardSize !== held.boardSize;
  return BigInt(top.version) > BigInt(held.version);
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
