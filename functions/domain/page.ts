/**
 * Parts of a list. A reader of a page asks for one item more, so that the last page has no `next`, also when it is full.
 */

/** The first `n` of what was found when `n + 1` were asked for; `next` is the item to go on behind, null on the last page. */
export function pageOf<T>(found: readonly T[], n: number): { readonly page: T[]; readonly next: T | null } {
  const page = found.slice(0, n);
  return { page, next: found.length > n ? (page.at(-1) ?? null) : null };
}

/** The list in parts of `n`; the last one may be shorter. */
export const chunks = <T>(all: readonly T[], n: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / n) }, (_, i) => all.slice(i * n, (i + 1) * n));
