/** Names of players in text: isolated from their surroundings, never translated, and never nothing. */
import { make } from "./dom.ts";

/** Characters that leave no mark. The last ones are letters and symbols by their class, and blank by their picture. */
const UNSEEN = /^[\p{White_Space}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800\u{1d159}\u{13441}\u{13442}]*$/u;
const MOST_CODES = 4;

/** An element with the name, for a row or a sentence. Its box keeps what the name says of direction inside. */
export function nameElement(player: string): HTMLElement {
  const unseen = UNSEEN.test(player);
  const element = make("bdi", unseen ? "name unseen" : "name", unseen ? codesOf(player) : player);
  element.translate = false;
  return element;
}

/** The name where there is only text, as in a tooltip. */
export function nameText(player: string): string {
  return UNSEEN.test(player) ? codesOf(player) : player;
}

/** What stands for a name that cannot be seen: its characters by number, so that two such names differ. */
function codesOf(player: string): string {
  const codes = [...player].map((character) => {
    const code = character.codePointAt(0) ?? 0;
    return `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
  });
  return codes.length > MOST_CODES ? `${codes.slice(0, MOST_CODES).join(" ")} …` : codes.join(" ");
}
