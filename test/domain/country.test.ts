import { describe, expect, it } from "vitest";
import { countryOf } from "../../functions/domain/country.ts";

const LETTERS = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
const PAIRS = LETTERS.flatMap((first) => LETTERS.map((second) => first + second));

describe("a country", () => {
  it("is one of the 249 codes of ISO 3166-1", () => {
    expect(PAIRS.filter((code) => countryOf(code) === code)).toHaveLength(249);
    const names = new Intl.DisplayNames("en", { type: "region", fallback: "none" });
    for (const code of PAIRS.filter((pair) => countryOf(pair)))
      expect([code, names.of(code)]).toEqual([code, expect.any(String)]);
  });

  it("may be written in small letters", () => {
    expect(countryOf("de")).toBe("DE");
    expect(countryOf("Fr")).toBe("FR");
  });

  it.each([
    "XX",
    "T1",
    "EU",
    "UK",
    "ZZ",
    "xk",
    "A1",
    "",
    "D",
    "DEU",
    " DE",
    "DE ",
    "DE\n",
    "ß",
    "ﬁ",
    "ıt",
    "ＤＥ",
    "12",
    "276",
  ])("is none for %j", (code) => {
    expect(countryOf(code)).toBeUndefined();
  });

  it("is none for nothing", () => {
    expect(countryOf(undefined)).toBeUndefined();
    expect(countryOf(null)).toBeUndefined();
  });
});
