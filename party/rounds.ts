/** What is due after an event: a question to the API, a round of messages, or a wake-up for later. */
import { isNewer } from "../functions/contract/live.ts";
import type { SocketMessage, TopMessage } from "../functions/contract/live.ts";
import { announcementsBetween } from "./announce.ts";
import { announcementLimit, roundMs } from "./pace.ts";
import { closedMessage } from "./state.ts";
import type { Effect, RoomState, Step } from "./state.ts";

/** However many viewers arrive, the room asks the API this often. */
const QUESTION_MS = 1_000;
const COUNT_MS = 1_000;

/** Does what is due at `nowMs`; the last effect may be the wake-up for what is not. */
export function settle(state: RoomState, nowMs: number): Step {
  const asked = askIfDue(state, nowMs);
  const told = sendIfDue(asked.state, nowMs);
  const atMs = Math.min(questionAt(told.state), roundAt(told.state));
  const wake: Effect[] = atMs === Infinity ? [] : [{ type: "wake", atMs }];
  return { state: told.state, effects: [...asked.effects, ...told.effects, ...wake] };
}

function questionAt(state: RoomState): number {
  return state.questionDue && !state.asking && state.audience > 0 ? state.nextQuestionAtMs : Infinity;
}

function askIfDue(state: RoomState, nowMs: number): Step {
  if (nowMs < questionAt(state)) return { state, effects: [] };
  const asking = { ...state, questionDue: false, asking: true, nextQuestionAtMs: nowMs + QUESTION_MS };
  return { state: asking, effects: [{ type: "ask" }] };
}

function topIsNew(state: RoomState): boolean {
  return state.top !== undefined && (state.sent === undefined || isNewer(state.top.version, state.sent.version));
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
  if (nowMs < roundAt(state)) return { state, effects: [] };
  const top = topIsNew(state) ? state.top : undefined;
  const counted = countIsNew(state) && nowMs >= state.nextCountAtMs;
  const messages = [...boardMessages(state, top, nowMs), ...state.badges];
  if (counted) messages.push({ type: "viewers", viewers: state.audience });
  const effects: Effect[] = [];
  if (state.audience > 0) effects.push({ type: "broadcast", messages });
  if (top && state.shards > 1 && state.room.shard === 0) effects.push({ type: "relay", top, shards: state.shards });
  const sent: RoomState = {
    ...state,
    sent: top ?? state.sent,
    badges: [],
    audienceSent: counted ? state.audience : state.audienceSent,
    nextCountAtMs: counted ? nowMs + COUNT_MS : state.nextCountAtMs,
    nextRoundAtMs: nowMs + roundMs(state.audience, messages.length),
  };
  return { state: sent, effects };
}

/** The board always goes out; announcements as far as the audience leaves room for them. */
function boardMessages(state: RoomState, top: TopMessage | undefined, nowMs: number): SocketMessage[] {
  if (!top) return [];
  const announced = announcementsBetween(state.sent, top).slice(0, announcementLimit(state.audience));
  // Whoever connected before the room had a board gets it here, and the farewell that belongs after it.
  const late = state.sent === undefined && nowMs >= state.room.endsAtMs;
  return [top, ...announced, ...(late ? [closedMessage(state.room)] : [])];
}
