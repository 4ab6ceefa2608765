/** What submissions and reads say about boards that a game defined. */
import { z } from "zod";

/** The level, song or map of a keyed board: part of a board key, so neither `~` nor `.`. */
export const BoardKey = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,64}$/, "must be 1–64 letters, digits, _ and -")
  .meta({ id: "BoardKey", description: "The level, song or map of a keyed board.", example: "track-88" });

export const SegmentValue = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,32}$/, "must be 1–32 letters, digits, _ and -")
  .meta({ id: "SegmentValue", description: "A part of boards that declare the segment.", example: "ios" });
