/**
 * The rules of a room, pure: (state, event) → (state, effects). Time comes in with the event; `room.ts` carries the
 * effects out. What matters after a restart is in `store` effects or can be asked of the API again.
 */
import type { BadgeMessage, ClosedMessage, RoomPush, SocketMessage, TopMessage } from "../functions/contract/live.ts";
import { isNewer } from "../functions/contract/live.ts";
import { settle } from "./rounds.ts";
import type { RoomId } from "./room-id.ts";

export type RoomState = {
  readonly room: RoomId;
  /** The newest board the room knows. */
  readonly top: TopMessage | undefined;
  /** The board the sockets were sent. */
  readonly sent: TopMessage | undefined;
  readonly shards: number;
  readonly badges: readonly BadgeMessage[];
  readonly audience: number;
  readonly audienceSent: number;
  readonly nextRoundAtMs: number;
  readonly nextCountAtMs: number;
  /** The API should be asked for the board; somebody came after the last question was put. */
  readonly questionDue: boolean;
  readonly asking: boolean;
  readonly nextQuestionAtMs: number;
  readonly failures: number;
  /** When a push or the API last said what the board is. */
  readonly confirmedAtMs: number;
};

/** What storage holds of a room. */
export type Stored = { readonly top: TopMessage; readonly shards: number };

export type Answer =
  | { readonly type: "top"; readonly top: TopMessage }
  | { readonly type: "unknown-game" }
  | { readonly type: "unavailable" };

export type RoomEvent =
  | { readonly type: "pushed"; readonly push: RoomPush }
  | { readonly type: "answered"; readonly answer: Answer }
  | { readonly type: "connected" | "synced" | "left" | "ticked" | "ended" }
  | { readonly type: "counted"; readonly audience: number };

export type Effect =
  | { readonly type: "store"; readonly stored: Stored }
  /** To the socket that caused the event. */
  | { readonly type: "reply"; readonly messages: readonly SocketMessage[] }
  | { readonly type: "broadcast"; readonly messages: readonly SocketMessage[] }
  | { readonly type: "relay"; readonly top: TopMessage; readonly shards: number }
  | { readonly type: "wake"; readonly atMs: number }
  | { readonly type: "ask" };

export type Step = { readonly state: RoomState; readonly effects: readonly Effect[] };

/** A `sync` only leads to a question when the board was not confirmed for this long. */
const FRESH_MS = 15_000;
const MAX_WAITING_BADGES = 100;

/** The room after a start: what storage held, with the sockets that lived through it. */
export function initialState(room: RoomId, stored: Stored | undefined, audience: number): RoomState {
  return {
    room,
    top: stored?.top,
    sent: stored?.top,
    shards: stored?.shards ?? 1,
    badges: [],
    audience,
    audienceSent: audience,
    nextRoundAtMs: 0,
    nextCountAtMs: 0,
    questionDue: false,
    asking: false,
    nextQuestionAtMs: 0,
    failures: 0,
    confirmedAtMs: 0,
  };
}

/** One event at `nowMs`. Effects are in the order in which they have to happen. */
export function step(state: RoomState, event: RoomEvent, nowMs: number): Step {
  const first = apply(state, event, nowMs);
  const then = settle(first.state, nowMs);
  return { state: then.state, effects: [...first.effects, ...then.effects] };
}

/** The farewell of a room whose week is over. */
export function closedMessage(room: RoomId): ClosedMessage {
  return { type: "closed", week: room.week, next: room.next };
}

function apply(state: RoomState, event: RoomEvent, nowMs: number): Step {
  switch (event.type) {
    case "pushed":
      return event.push.type === "badges" ? waiting(state, event.push.badges) : pushed(state, event.push, nowMs);
    case "answered":
      return answered(state, event.answer, nowMs);
    case "connected": {
      const audience = state.audience + 1;
      // The greeting tells the newcomer how many watch; when nobody else does, everybody knows.
      const audienceSent = audience === 1 && state.top ? 1 : state.audienceSent;
      const joined: RoomState = { ...state, audience, audienceSent, questionDue: true };
      return { state: joined, effects: greeting(joined, nowMs) };
    }
    case "synced": {
      const stale = nowMs - state.confirmedAtMs > FRESH_MS;
      return { state: stale ? { ...state, questionDue: true } : state, effects: greeting(state, nowMs) };
    }
    case "left":
      return { state: { ...state, audience: Math.max(0, state.audience - 1) }, effects: [] };
    case "counted":
      return { state: { ...state, audience: event.audience }, effects: [] };
    case "ended":
      return { state, effects: [{ type: "broadcast", messages: [closedMessage(state.room)] }] };
    case "ticked":
      return { state, effects: [] };
  }
}

function pushed(state: RoomState, push: RoomPush & { type: "top" }, nowMs: number): Step {
  const { shards = 1, ...top } = push;
  return accept({ ...state, confirmedAtMs: nowMs }, top, Math.max(state.shards, shards), nowMs);
}

/** Keeps the newer of two boards; more shards are kept either way. */
function accept(state: RoomState, candidate: TopMessage, shards: number, nowMs: number): Step {
  const top = state.top && !isNewer(candidate.version, state.top.version) ? state.top : candidate;
  if (top === state.top && shards === state.shards) return { state, effects: [] };
  const kept = nowMs < state.room.expiresAtMs;
  return { state: { ...state, top, shards }, effects: kept ? [{ type: "store", stored: { top, shards } }] : [] };
}

function waiting(state: RoomState, badges: readonly { player: string; badge: string }[]): Step {
  const added = badges.map(({ player, badge }) => ({ type: "badge" as const, player, badge }));
  return { state: { ...state, badges: [...state.badges, ...added].slice(-MAX_WAITING_BADGES) }, effects: [] };
}

function answered(state: RoomState, answer: Answer, nowMs: number): Step {
  const asked: RoomState = { ...state, asking: false };
  if (answer.type === "top") {
    return accept({ ...asked, failures: 0, confirmedAtMs: nowMs }, answer.top, state.shards, nowMs);
  }
  // Nothing to show and nothing to wait for: GET /live tells viewers that there is no such game.
  if (answer.type === "unknown-game") return { state: asked, effects: [] };
  const failures = state.failures + 1;
  const waitMs = Math.min(30_000, 1_000 * 2 ** failures);
  return { state: { ...asked, questionDue: true, failures, nextQuestionAtMs: nowMs + waitMs }, effects: [] };
}

/** The first messages of a socket. Without a board it gets its first message when the API has answered. */
function greeting(state: RoomState, nowMs: number): Effect[] {
  if (!state.top) return [];
  const messages: SocketMessage[] = [state.top];
  if (nowMs >= state.room.endsAtMs) messages.push(closedMessage(state.room));
  messages.push({ type: "viewers", viewers: state.audience });
  return [{ type: "reply", messages }];
}
