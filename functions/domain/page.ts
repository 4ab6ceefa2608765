/** Pages of a list: whoever reads one asks for an item more, so that the last page has no `next`, also when it is full. */

/** The first `n` of what was found when `n + 1` were asked for; `next` is the item to go on behind, null on the last page. */
export function pageOf<T>(found: readonly T[], n: number): { readonly page: T[]; readonly next: T | null } {
  const page = found.slice(0, n);
  return { page, next: found.length > n ? (page.at(-1) ?? null) : null };
}
