/** A week's board, its board of one country, or the all-time board. */
export type BoardRef =
  | { readonly kind: "week"; readonly week: string; readonly country: string | undefined }
  | { readonly kind: "all-time" };

export type RawEntry = { readonly player: string; readonly points: number; readonly achievedAtMs: number };

/** Position in a board's order: the page goes on right below it. */
export type Cursor = RawEntry;
