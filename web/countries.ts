/** The countries that a board can be narrowed to, by name. */
import { countryOf } from "../functions/domain/country.ts";

export type CountryChoice = { readonly code: string; readonly name: string };

const LETTERS = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];

export function countryChoices(): CountryChoice[] {
  const names = new Intl.DisplayNames("en", { type: "region" });
  const codes = LETTERS.flatMap((first) => LETTERS.map((second) => first + second)).filter(
    (code) => countryOf(code) === code,
  );
  return codes
    .map((code) => ({ code, name: names.of(code) ?? code }))
    .sort((a, b) => a.name.localeCompare(b.name, "en"));
}
