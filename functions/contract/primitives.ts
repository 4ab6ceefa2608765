/** The words of the API as schemas. Strings come back byte for byte as they were sent. */
import { z } from "zod";
import { COUNTRIES } from "../domain/country.ts";
import { MAX_POINTS } from "../domain/board/score.ts";
import { parseRef } from "../domain/board/ref.ts";
import { weekStart } from "../domain/board/week.ts";

export const MAX_PLAYER_CHARACTERS = 64;

/** A named schema or null. Not `.nullable()`, which the OpenAPI document takes for another meaning of the name itself. */
export const orNull = <T extends z.ZodType>(schema: T, message?: string) =>
  z.union([schema, z.null()], message === undefined ? {} : { error: message });

/** The patterns say in the document what the checks below say; `test/domain/patterns.test.ts` compares them. */
const CONTROLS = "\\u0000-\\u001F\\u007F-\\u009F";
const PLAYER = `[^${CONTROLS}\\uFEFF][^${CONTROLS}]*$`;
/** Weeks of every year from 100 on, and week 53 of the years that have one: they repeat every 400 years. */
const WEEK =
  "(0[1-9][0-9]{2}|[1-9][0-9]{3})-W(0[1-9]|[1-4][0-9]|5[0-2])|" +
  "(([2468][048]|0[48]|[13579][26])(04|09|15|20|26|32|37|43|48|54|60|65|71|76|82|88|93|99)|" +
  "([02468][159]|[13579][37])(05|11|16|22|28|33|39|44|50|56|61|67|72|78|84|89|95)|" +
  "([02468][26]|[13579][048])(01|07|12|18|24|29|35|40|46|52|57|63|68|74|80|85|91|96)|" +
  "([02468][37]|[13579][159])(03|08|14|20|25|31|36|42|48|53|59|64|70|76|81|87|92|98))-W53";

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
    minLength: 1,
    maxLength: MAX_PLAYER_CHARACTERS,
    pattern: `^${PLAYER}`,
    example: "ada",
  });

/** A player as a request names them: one that a URL can name too, so that every player who may submit can be moderated. */
export const NamedPlayer = Player.refine(
  (player) => !DOTS.includes(player),
  "must not be `.` or `..`, which no URL can name",
).meta({
  id: "NamedPlayer",
  description: "A player id, but neither `.` nor `..`: a URL path cannot name those.",
  minLength: 1,
  maxLength: MAX_PLAYER_CHARACTERS,
  pattern: `^(?!\\.{1,2}$)${PLAYER}`,
  example: "ada",
});

/**
 * An integer of a request, from `min` to `max`. Not `z.int()`, which refuses the large ones twice, and once for a bound of
 * JavaScript's that no client has heard of.
 */
export const integer = (min: number, max: number) =>
  z
    .number({
      error: ({ code, input }) =>
        code !== "invalid_type" ? undefined : input === undefined ? "is required" : "must be an integer",
    })
    .refine(Number.isInteger, "must be an integer")
    .min(min)
    .max(max)
    .meta({ type: "integer", minimum: min, maximum: max });

export const Points = integer(0, MAX_POINTS).meta({
  id: "Points",
  type: "integer",
  minimum: 0,
  maximum: MAX_POINTS,
  description: "Points of one submission: an integer from 0 to 2^33−1.",
  example: 1200,
});

export const Week = z
  .string()
  .refine((value) => weekStart(value) !== undefined, "must be an ISO week such as 2026-W42")
  .meta({
    id: "Week",
    description: "An ISO week in UTC; it starts on Monday 00:00:00.000Z.",
    pattern: `^(${WEEK})$`,
    example: "2026-W42",
  });

/** A board of the game: `[.<period>]` and `[~<key>]` may follow. */
const DEFINED =
  "(?!(current|previous|weekly|all-time)([.~]|$))[a-z][a-z0-9-]{0,31}(~[A-Za-z0-9_-]{1,64})?([.][A-Za-z0-9-]{1,24})?";

export const BoardName = z
  .string()
  .refine(
    (board) => parseRef(board) !== undefined,
    "must be `current`, `all-time`, an ISO week such as 2026-W42, or a board of the game such as `laps` or `laps.previous`",
  )
  .meta({
    id: "Board",
    pattern: `^(current|all-time([.]all)?|weekly([.](previous|${WEEK}))?|${WEEK}|${DEFINED})$`,
    description:
      "`current`, an ISO week, `all-time`, or a board that the game defined, `<board>[~<key>]`: the period that runs now, with " +
      "`.<period>` behind it another one, with `.previous` the one before.",
    example: "current",
  });

export const Country = z
  .string()
  .regex(/^[A-Za-z0-9]{2}$/, "must be a two-letter code")
  .meta({
    id: "Country",
    description: "ISO 3166-1 alpha-2; `XX`, `T1` and unassigned codes count as no country.",
    example: "DE",
  });

/** `[Aa][DdEe…]|[Bb][Aa…]|…`: every country in either case. */
const COUNTRY = Object.entries(Object.groupBy(COUNTRIES, (code) => code.charAt(0)))
  .map(([first, codes = []]) => {
    const seconds = codes.map((code) => code.charAt(1)).join("");
    return `[${first}${first.toLowerCase()}][${seconds}${seconds.toLowerCase()}]`;
  })
  .join("|");

/** A country that has boards; of the all-time board none has. */
export const BoardCountry = z
  .string()
  .regex(new RegExp(`^(${COUNTRY})$`), "must be an ISO 3166-1 country")
  .meta({
    id: "BoardCountry",
    description: "ISO 3166-1 alpha-2: the board of this country. The all-time board is not split by country.",
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
