import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { BoardName, BoardCountry, NamedPlayer, Player, Week } from "../../functions/contract/primitives.ts";
import { COUNTRIES, countryOf } from "../../functions/domain/country.ts";
import { weekStart } from "../../functions/domain/board/week.ts";

const Meta = z.object({ pattern: z.string(), minLength: z.int().optional(), maxLength: z.int().optional() });

/** Whether a text is one by what the OpenAPI document says of the schema. */
function documented(schema: z.ZodType): (text: string) => boolean {
  const { pattern, minLength = 0, maxLength = Number.POSITIVE_INFINITY } = Meta.parse(schema.meta());
  const form = new RegExp(pattern, "u");
  return (text) => form.test(text) && [...text].length >= minLength && [...text].length <= maxLength;
}

const pad = (n: number, digits: number) => String(n).padStart(digits, "0");

describe("the document's patterns say what the server checks", () => {
  it("of weeks, in every year that has four digits", () => {
    const [week, board] = [documented(Week), documented(BoardName)];
    for (let year = 0; year < 10_000; year++) {
      for (const number of [0, 1, 9, 10, 49, 50, 52, 53, 54]) {
        const name = `${pad(year, 4)}-W${pad(number, 2)}`;
        if (week(name) !== (weekStart(name) !== undefined) || board(name) !== week(name)) expect.fail(name);
      }
    }
    for (const text of ["current", "all-time"]) expect([board(text), week(text)]).toEqual([true, false]);
    for (const text of ["2026-W421", "12026-W42", "2026-W4", ""]) expect(board(text)).toBe(false);
  });

  it("of boards that a game defined, their keys and periods", () => {
    const says = documented(BoardName);
    const part = fc.constantFrom(
      ..."current previous weekly all-time laps a1 1a A 2026-W42 2026-W54 all ~ . - _ é".split(" "),
      "",
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 5 }), (parts) => {
        const name = parts.join("");
        return says(name) === BoardName.safeParse(name).success;
      }),
      { numRuns: 5_000 },
    );
  });

  it("of countries, in either case", () => {
    const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz1"];
    for (const code of letters.flatMap((a) => letters.map((b) => a + b))) {
      expect(BoardCountry.safeParse(code).success, code).toBe(countryOf(code) !== undefined);
    }
    expect(COUNTRIES.every((code) => BoardCountry.safeParse(code).success)).toBe(true);
  });

  it("of players", () => {
    const text = fc.oneof(
      fc.string({ unit: "binary", maxLength: 70 }),
      fc.string({
        unit: fc.constantFrom(".", "a", "\u0000", "\u001f", "\u007f", "\u009f", "\u00a0", "\ufeff", "😀"),
        maxLength: 4,
      }),
      fc.constantFrom("😀".repeat(64), "😀".repeat(65), ".", "..", "...", "", "\ufeffa", "a\ufeff", ".\n"),
    );
    for (const schema of [Player, NamedPlayer]) {
      const says = documented(schema);
      fc.assert(
        fc.property(text, (player) => says(player) === schema.safeParse(player).success),
        { numRuns: 2_000 },
      );
    }
  });
});
