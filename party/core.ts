/**
 * The rules of a room, pure: (state, event) → (state, effects). Time comes in with the event; `room.ts` carries the
 * effects out. What matters after a restart is in `store` effects or can be asked of the API again.
 */
import type { RoomPush, SocketMessage, TopMessage } from "../functions/contract/live.ts";
import { isNewer } from "../functions/contract/live.ts";
import { rested, settle } from "./rounds.ts";
import { closedMessage } from "./state.ts";
import type { Answer, Effect, RoomEvent, RoomState, Step } from "./state.ts";

/** A `sync` only leads to a question when the board was not confirmed for this long. */
const FRESH_MS = 15_000;
/** This long after the last push the API is asked once whether it was the last: one that got lost heals then. */
const CONFIRM_MS = 2_000;
const COUNT_DELAY_MS = 200;
const MAX_WAITING_BADGES = 1_000;
/** Longer than an isolate of the API keeps a page: what a check speaks of is in the answer then. */
const CHECK_MS = 1_200;

/** One event at `nowMs`. Effects are in the order in which they have to happen. */
export function step(state: RoomState, event: RoomEvent, nowMs: number): Step {
  const first = apply(state, event, nowMs);
  const then = settle(first.state, nowMs);
  return { state: then.state, effects: [...first.effects, ...then.effects] };
}

function apply(state: RoomState, event: RoomEvent, nowMs: number): Step {
  switch (event.type) {
    case "pushed":
      if (event.push.type === "badges") return waiting(state, event.push, nowMs);
      return event.push.type === "check" ? checked(state, event.push, nowMs) : pushed(state, event.push, nowMs);
    case "answered":
      return answered(state, event.answer, nowMs);
    case "connected": {
      const joined: RoomState = { ...counted(state, state.audience + 1, nowMs), questionDue: true };
      return { state: joined, effects: greeting(joined, nowMs) };
    }
    case "synced": {
      const stale = nowMs - state.confirmedAtMs > FRESH_MS;
      return { state: stale ? { ...state, questionDue: true } : state, effects: greeting(state, nowMs) };
    }
    case "left":
      return { state: counted(state, Math.max(0, state.audience - 1), nowMs), effects: [] };
    case "ended":
      return { state, effects: [{ type: "broadcast", messages: [closedMessage(state.room)] }] };
    case "ticked":
      return { state: { ...rested(state, nowMs), audience: event.audience }, effects: [] };
  }
}

/** A change of the audience is told a little later, after a tick has counted. */
function counted(state: RoomState, audience: number, nowMs: number): RoomState {
  const told = state.audience === state.audienceSent;
  return {
    ...state,
    audience,
    nextCountAtMs: told ? Math.max(state.nextCountAtMs, nowMs + COUNT_DELAY_MS) : state.nextCountAtMs,
  };
}

function pushed(state: RoomState, push: RoomPush & { type: "top" }, nowMs: number): Step {
  const { shards = 1, ...top } = push;
  const confirmed = { ...state, confirmedAtMs: nowMs, questionDue: true, nextQuestionAtMs: nowMs + CONFIRM_MS };
  // Pushes overtake each other: of two with the same first ten the one with more players is the later one.
  const larger = state.top === undefined || top.boardSize > state.top.boardSize;
  return accept(confirmed, top, Math.max(state.shards, shards), larger, nowMs);
}

/** There may be a newer board, or more players, than any push brought. */
function checked(state: RoomState, { boardSize }: RoomPush & { type: "check" }, nowMs: number): Step {
  if (state.top && boardSize !== undefined && boardSize <= state.top.boardSize) return { state, effects: [] };
  const nextQuestionAtMs = state.questionDue
    ? state.nextQuestionAtMs
    : Math.max(state.nextQuestionAtMs, nowMs + CHECK_MS);
  return { state: { ...state, questionDue: true, nextQuestionAtMs }, effects: [] };
}

/** Keeps the newer of two boards, of two with the same first ten the later one; more shards are kept either way. */
function accept(state: RoomState, candidate: TopMessage, shards: number, later: boolean, nowMs: number): Step {
  const isNext =
    state.top === undefined ||
    isNewer(candidate.version, state.top.version) ||
    (later && candidate.version === state.top.version && candidate.boardSize !== state.top.boardSize);
  const top = isNext ? candidate : state.top;
  if (top === state.top && shards === state.shards) return { state, effects: [] };
  const kept = nowMs < state.room.expiresAtMs;
  return { state: { ...state, top, shards }, effects: kept ? [{ type: "store", stored: { top, shards } }] : [] };
}

function waiting(state: RoomState, push: RoomPush & { type: "badges" }, nowMs: number): Step {
  const added = push.badges.map(({ player, badge }) => ({ type: "badge" as const, player, badge }));
  const shards = Math.max(state.shards, push.shards ?? 1);
  const kept = shards > state.shards && state.top && nowMs < state.room.expiresAtMs ? state.top : undefined;
  const effects: Effect[] = kept ? [{ type: "store", stored: { top: kept, shards } }] : [];
  if (shards > 1 && state.room.shard === 0) effects.push({ type: "relay", push, shards });
  return { state: { ...state, shards, badges: [...state.badges, ...added].slice(-MAX_WAITING_BADGES) }, effects };
}

function answered(state: RoomState, answer: Answer, nowMs: number): Step {
  const asked: RoomState = { ...state, asking: false };
  if (answer.type === "top") {
    return accept({ ...asked, failures: 0, confirmedAtMs: nowMs }, answer.top, state.shards, true, nowMs);
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
