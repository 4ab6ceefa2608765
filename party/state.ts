/** What a room knows, what happens to it, and what it does: the vocabulary of the core. */
import type { BadgeMessage, ClosedMessage, RoomPush, SocketMessage, TopMessage } from "../functions/contract/live.ts";
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
  readonly announcedAtMs: number;
  readonly nextRoundAtMs: number;
  /** A round is on its way out; see `rested`. */
  readonly resting: boolean;
  /** How late the last wake-up from a rest was. */
  readonly lagMs: number;
  readonly nextCountAtMs: number;
  /** The API should be asked for the board; a viewer came after the last question was put. */
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
  | { readonly type: "connected" | "synced" | "left" | "ended" }
  /** A wake-up, with the exact number of sockets: events alone can count one twice that went without a word. */
  | { readonly type: "ticked"; readonly audience: number };

export type Effect =
  | { readonly type: "store"; readonly stored: Stored }
  /** To the socket that caused the event. */
  | { readonly type: "reply"; readonly messages: readonly SocketMessage[] }
  | { readonly type: "broadcast"; readonly messages: readonly SocketMessage[] }
  /** To the other shards. */
  | { readonly type: "relay"; readonly push: RoomPush; readonly shards: number }
  | { readonly type: "wake"; readonly atMs: number }
  | { readonly type: "ask" };

export type Step = { readonly state: RoomState; readonly effects: readonly Effect[] };

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
    announcedAtMs: 0,
    nextRoundAtMs: 0,
    resting: false,
    lagMs: 0,
    nextCountAtMs: 0,
    questionDue: false,
    asking: false,
    nextQuestionAtMs: 0,
    failures: 0,
    confirmedAtMs: 0,
  };
}

/** The farewell of a room whose week is over. */
export function closedMessage(room: RoomId): ClosedMessage {
  return { type: "closed", week: room.week, next: room.next };
}
