/** The contract's types as the client uses them. Types only: no schema reaches a browser bundle. */
import type { z } from "zod";
import type {
  AroundResponse,
  BoardEntry,
  Entry,
  PlayersCountResponse,
  StandingResponse,
  TopResponse,
} from "../functions/contract/boards.ts";
import type { FeedEvent, FeedResponse } from "../functions/contract/feed.ts";
import type { BadgeThreshold, GameRequest, GameResponse } from "../functions/contract/games.ts";
import type { LiveResponse } from "../functions/contract/live.ts";
import type { HeldResponse, PlayerExport, SigningKeyResponse } from "../functions/contract/moderation.ts";
import type { Badge, BadgesResponse } from "../functions/contract/players.ts";
import type { FieldError, Problem } from "../functions/contract/problem.ts";
import type { BatchItem, BatchResponse, ScoreRequest, ScoreResponse } from "../functions/contract/scores.ts";

export type {
  AroundResponse,
  BoardEntry,
  Entry,
  FeedEvent,
  FieldError,
  PlayerExport,
  Problem,
  ScoreResponse,
  StandingResponse,
  TopResponse,
};
export type {
  AnnouncementMessage,
  BadgeMessage,
  ClosedMessage,
  SocketMessage,
  TopMessage,
  ViewersMessage,
} from "../functions/contract/live.ts";

export type Feed = z.infer<typeof FeedResponse>;
export type Live = z.infer<typeof LiveResponse>;
export type PlayersCount = z.infer<typeof PlayersCountResponse>;
export type EarnedBadge = z.infer<typeof Badge>;
export type Badges = z.infer<typeof BadgesResponse>;
export type Submission = Lenient<ScoreRequest>;
export type BatchSubmission = Lenient<z.input<typeof BatchItem>>;
export type BatchResults = z.infer<typeof BatchResponse>;
export type HeldPage = z.infer<typeof HeldResponse>;
export type SigningKey = z.infer<typeof SigningKeyResponse>;
export type Threshold = z.infer<typeof BadgeThreshold>;
export type GameSettings = Lenient<z.input<typeof GameRequest>>;
export type Game = z.infer<typeof GameResponse>;

/** `current`, an ISO week such as `2026-W42`, or `all-time`. */
export type BoardName = string;

/** Optional fields may also come as undefined or null, as the result of a look-up does: then they are left out. */
export type Lenient<T> = { readonly [K in keyof T]: undefined extends T[K] ? T[K] | null | undefined : T[K] };
