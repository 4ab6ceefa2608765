/** What is due after an event: a question to the API, a round of messages, or a wake-up for later. */
import { isNewer } from "../functions/contract/live.ts";
import type { SocketMessage, TopMessage } from "../functions/contract/live.ts";
import { announcementsBetween } from "./announce.ts";
import { announcementLimit, badgeLimit, roundMs } from "./pace.ts";
import { closedMessage } from "./state.ts";
import type { Effect, RoomState, Step } from "./state.ts";

/** However many viewers arrive, the room asks the API this often. */
const QUESTION_MS = 1_000;
const COUNT_MS = 1_000;

/** Does what is due at `nowMs`; the last effect may be the wake-up for what is not. */
export function settle(state: RoomState, nowMs: number): Step {
  const asked = askIfDue(state, nowMs);
  const told = sendIfDue(asked.state, nowMs);
  const atMs = Math.min(questionAt(told.state), told.state.resting ? told.state.nextRoundAtMs : roundAt(told.state));
  const wake: Effect[] = atMs === Infinity ? [] : [{ type: "wake", atMs }];
  return { state: told.state, effects: [...asked.effects, ...told.effects, ...wake] };
}

/**
 * After a round the room rests until the wake-up for the next. Only that ends the rest, not the passing of time: a
 * timer comes after the sends before it are out of the house, so a room that cannot keep up skips rounds instead of
 * piling them up.
 */
export function rested(state: RoomState, nowMs: number): RoomState {
  if (!state.resting || nowMs < state.nextRoundAtMs) return state;
  return { ...state, resting: false, lagMs: nowMs - state.nextRoundAtMs };
}

function questionAt(state: RoomState): number {
  // A coordinator asks for the viewers of the other shards, too.
  const isWatched = state.audience > 0 || (state.shards > 1 && state.room.shard === 0);
  return state.questionDue && !state.asking && isWatched ? state.nextQuestionAtMs : Infinity;
}

function askIfDue(state: RoomState, nowMs: number): Step {
  if (nowMs < questionAt(state)) return { state, effects: [] };
  const asking = { ...state, questionDue: false, asking: true, nextQuestionAtMs: nowMs + QUESTION_MS };
  return { state: asking, effects: [{ type: "ask" }] };
}

function topIsNew(state: RoomState): boolean {
  const { top, sent } = state;
  if (top === undefined || sent === undefined) return top !== undefined;
  return isNewer(top.version, sent.version) || (top.version === sent.version && top.boardSize !== sent.boardSize);
}

function countIsNew(state: RoomState): boolean {
  return state.audience > 0 && state.audience !== state.audienceSent && state.top !== undefined;
}

/** When the next round may start, Infinity when there is nothing to say. */
function roundAt(state: RoomState): number {
  if (topIsNew(state) || state.badges.length > 0) return state.nextRoundAtMs;
  return countIsNew(state) ? Math.max(state.nextRoundAtMs, state.nextCountAtMs) : Infinity;
}

function sendIfDue(state: RoomState, nowMs: number): Step {
  if (state.resting || nowMs < roundAt(state)) return { state, effects: [] };
  const top = topIsNew(state) ? state.top : undefined;
  const announced = top ? announcements(state, top, nowMs) : [];
  const counted = countIsNew(state) && nowMs >= state.nextCountAtMs;
  const badges = state.badges.slice(0, badgeLimit(state.audience));
  const messages = [...boardMessages(state, top, nowMs), ...announced, ...badges];
  if (counted) messages.push({ type: "viewers", viewers: state.audience });
  const effects: Effect[] = [];
  if (state.audience > 0) effects.push({ type: "broadcast", messages });
  const relayed = top !== undefined && state.shards > 1 && state.room.shard === 0;
  if (relayed) effects.push({ type: "relay", push: top, shards: state.shards });
  const sent: RoomState = {
    ...state,
    sent: top ?? state.sent,
    badges: state.badges.slice(badges.length),
    audienceSent: counted ? state.audience : state.audienceSent,
    nextCountAtMs: counted ? nowMs + COUNT_MS : state.nextCountAtMs,
    announcedAtMs: announced.length > 0 ? nowMs : state.announcedAtMs,
    nextRoundAtMs: nowMs + roundMs(state.audience, messages.length, state.lagMs),
    resting: effects.length > 0,
    lagMs: 0,
  };
  return { state: sent, effects };
}

function announcements(state: RoomState, top: TopMessage, nowMs: number): SocketMessage[] {
  const limit = announcementLimit(state.audience, nowMs - state.announcedAtMs);
  return announcementsBetween(state.sent, top).slice(0, limit);
}

function boardMessages(state: RoomState, top: TopMessage | undefined, nowMs: number): SocketMessage[] {
  if (!top) return [];
  // A viewer who connected before the room had a board gets it here, and the farewell that belongs after it.
  const late = state.sent === undefined && nowMs >= state.room.endsAtMs;
  return [top, ...(late ? [closedMessage(state.room)] : [])];
}
