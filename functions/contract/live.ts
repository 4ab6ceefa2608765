/** GET /live, and what travels between the Worker, the room and its sockets. */
import { z } from "zod";
import { Entry } from "./boards.ts";
import { Game, Instant, Player, Rank, Version, Week } from "./primitives.ts";

export const LiveResponse = z
  .object({
    week: Week,
    room: z.string().meta({ description: "Room id: `<game>_<week>`.", example: "arena_2026-W42" }),
    url: z.string().meta({ description: "WebSocket address of the room." }),
    resetsAt: Instant,
  })
  .meta({ id: "LiveResponse" });

export type LiveResponse = z.infer<typeof LiveResponse>;

/** The top 10 as the Worker pushes it and as every socket gets it: always whole. */
export const TopMessage = z
  .object({
    type: z.literal("top"),
    game: Game,
    week: Week,
    version: Version,
    boardSize: z.int().min(0),
    entries: z.array(Entry).max(10),
    resetsAt: Instant,
  })
  .meta({ id: "TopMessage" });
export type TopMessage = z.infer<typeof TopMessage>;

export const AnnouncementMessage = z
  .object({ type: z.literal("announcement"), version: Version, player: Player, rank: Rank })
  .meta({ id: "AnnouncementMessage" });
export type AnnouncementMessage = z.infer<typeof AnnouncementMessage>;

export const BadgeMessage = z
  .object({ type: z.literal("badge"), player: Player, badge: z.string() })
  .meta({ id: "BadgeMessage" });
export type BadgeMessage = z.infer<typeof BadgeMessage>;

export const ClosedMessage = z
  .object({ type: z.literal("closed"), week: Week, next: z.string() })
  .meta({ id: "ClosedMessage" });
export type ClosedMessage = z.infer<typeof ClosedMessage>;

export const ViewersMessage = z
  .object({ type: z.literal("viewers"), viewers: z.int().min(0) })
  .meta({ id: "ViewersMessage" });
export type ViewersMessage = z.infer<typeof ViewersMessage>;

export const SocketMessage = z.discriminatedUnion("type", [
  TopMessage,
  AnnouncementMessage,
  BadgeMessage,
  ClosedMessage,
  ViewersMessage,
]);
export type SocketMessage = z.infer<typeof SocketMessage>;

/** Rooms of one board: the coordinator `<game>_<week>` is shard 0, the others are `_s1` … */
export const MAX_SHARDS = 64;

/** What a room takes in one push: a sender with more cuts it. */
export const MAX_PUSH_BYTES = 16 * 1_024;
export const MAX_PUSH_BADGES = 500;

const shards = z.int().min(1).max(MAX_SHARDS).optional().meta({
  description: "How many rooms GET /live spreads viewers over; the coordinator relays to them. Only grows.",
});

/** Body of the Worker's POST to a room, with the push secret as bearer token. */
export const RoomPush = z.discriminatedUnion("type", [
  TopMessage.extend({ shards }),
  z.object({
    type: z.literal("badges"),
    badges: z.array(z.object({ player: Player, badge: z.string() })).max(MAX_PUSH_BADGES),
    shards,
  }),
  /** The board may have changed without a push: the room asks the API, unless it knows of that many players. */
  z.object({ type: z.literal("check"), boardSize: z.int().min(0).optional(), shards }),
]);
export type RoomPush = z.infer<typeof RoomPush>;

/** What a socket may send; anything else is ignored. */
export const ViewerMessage = z.object({ type: z.literal("sync") });

/** Room ids survive a PartyKit URL only as [A-Za-z0-9_-]. */
export function roomOf(game: string, week: string, shard?: number): string {
  return shard === undefined ? `${game}_${week}` : `${game}_${week}_s${shard}`;
}

/** True when version `a` is newer than `b`: decimal strings without leading zeros. */
export function isNewer(a: string, b: string): boolean {
  return a.length === b.length ? a > b : a.length > b.length;
}
