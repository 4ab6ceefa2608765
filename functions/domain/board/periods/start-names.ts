/** Names of periods that are told by the minute of UTC in which they begin: `20261014T1800Z`. */

const NAME = /^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})Z$/;

export const startName = (startsAtMs: number): string =>
  `${new Date(startsAtMs).toISOString().slice(0, 16).replaceAll(/[-:]/g, "")}Z`;

/** Undefined for a text that is no such name. */
export function startNamed(name: string): number | undefined {
  const ms = Date.parse(name.replace(NAME, "$1-$2-$3T$4:$5Z"));
  return !NAME.test(name) || Number.isNaN(ms) || startName(ms) !== name ? undefined : ms;
}
