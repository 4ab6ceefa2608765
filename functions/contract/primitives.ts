/** The words of the API as schemas. Strings come back byte for byte as they were sent. */
import { z } from "zod";
import { MAX_POINTS } from "../domain/board/score.ts";
import { weekStart } from "../domain/board/week.ts";

export const MAX_PLAYER_CHARACTERS = 64;

/** What some decoders, Upstash's client among them, take off the front of a text: the id would come back as another. */
const BYTE_ORDER_MARK = "\ufeff";

/** An id that is well-formed Unicode, 1–64 characters (code points), without control characters. */
function isOpaqueId(value: string): boolean {
  const characters = [...value].length;
  if (characters < 1 || characters > MAX_PLAYER_CHARACTERS || value.startsWith(BYTE_ORDER_MARK)) return false;
  return value.isWellFormed() && !/\p{Cc}/u.test(value);
}

/** Parts of a URL path that every client resolves: `/players/../ban` is another path. */
const DOTS: readonly string[] = [".", ".."];

export const Game = z
  .string()
  .regex(/^[a-z0-9-]{1,32}$/, "must be 1–32 of a–z, 0–9 and -")
  .meta({ id: "Game", description: "The game: 1–32 of a–z, 0–9 and -.", example: "arena" });

export const Player = z
  .string()
  .refine(isOpaqueId, "must be 1–64 characters without control characters, and not begin with U+FEFF")
  .meta({
    id: "Player",
    description: "An opaque player id: 1–64 characters without control characters, compared byte for byte.",
    example: "ada",
  });

/** A player as a request names them: one that a URL can name too, so that whoever may submit can be moderated. */
export const NamedPlayer = Player.refine(
  (player) => !DOTS.includes(player),
  "must not be `.` or `..`, which no URL can name",
).meta({
  id: "NamedPlayer",
  description: "A player id, but neither `.` nor `..`: a URL path cannot name those.",
  example: "ada",
});

export const Points = z
  .int("must be an integer")
  .min(0, "must be 0 or more")
  .max(MAX_POINTS, `must be ${MAX_POINTS} or less`)
  .meta({ id: "Points", description: "Points of one submission: an integer from 0 to 2^33−1.", example: 1200 });

export const Week = z
  .string()
  .refine((value) => weekStart(value) !== undefined, "must be an ISO week such as 2026-W42")
  .meta({ id: "Week", description: "An ISO week in UTC; it starts on Monday 00:00:00.000Z.", example: "2026-W42" });

const BOARDS: readonly string[] = ["current", "all-time"];

export const Board = z
  .string()
  .refine(
    (board) => BOARDS.includes(board) || weekStart(board) !== undefined,
    "must be `current`, `all-time` or an ISO week such as 2026-W42",
  )
  .meta({ id: "Board", description: "`current`, an ISO week or `all-time`.", example: "current" });

export const Country = z
  .string()
  .regex(/^[A-Za-z0-9]{2}$/, "must be a two-letter code")
  .meta({
    id: "Country",
    description: "ISO 3166-1 alpha-2; `XX`, `T1` and unassigned codes count as no country.",
    example: "DE",
  });

export const Instant = z.iso
  .datetime()
  .meta({ id: "Instant", description: "ISO 8601 in UTC.", example: "2026-10-14T18:03:11.000Z" });

export const Rank = z.int().min(1).meta({ id: "Rank", description: "1-based ordinal place.", example: 3 });

export const Version = z.string().regex(/^\d+$/, "must be digits").meta({
  id: "Version",
  description: "Version of the board's top 10; it only goes up. A decimal string: compare by length, then text.",
  example: "100000003600001048575000000010",
});

export const IdempotencyKey = z
  .string()
  .regex(/^[\x21-\x7e]{1,128}$/, "must be 1–128 printable ASCII characters without spaces")
  .meta({
    id: "IdempotencyKey",
    description: "Names one submission of a player: a retry with the same key has no second effect.",
    example: "match-8841-ada",
  });

/** A number of a query: digits, from `min` to `max`. */
export const countParameter = (min: number, max: number, otherwise: number, description: string) =>
  z
    .string()
    .regex(/^-?\d{1,9}$/, "must be an integer")
    .transform(Number)
    .pipe(z.int().min(min).max(max))
    .default(otherwise)
    .meta({ type: "integer", minimum: min, maximum: max, default: otherwise, description, example: otherwise });
