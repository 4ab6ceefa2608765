import type { TopMessage } from "../../contract/live.ts";
import type { NewBadge } from "../badges/ports.ts";

export type Rooms = {
  pushTop(message: TopMessage & { readonly shards?: number }): Promise<void>;
  /** Announces new badges to the rooms of a week: no more than one push takes. */
  pushBadges(game: string, week: string, badges: readonly NewBadge[], shards: number): Promise<void>;
  /** Makes a room ask for its board, unless it knows of that many players. */
  check(game: string, week: string, boardSize: number | undefined): Promise<void>;
};

/** The ports of this wing by the names under which they are handed on. */
export type LivePorts = {
  readonly rooms: Rooms;
};
