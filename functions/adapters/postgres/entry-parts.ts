/** Columns of `bests` that say in which parts of a board a player is. */
import { z } from "zod";
import type { Part } from "../../domain/board/period-board.ts";

export const segmentsColumn = z.record(z.string(), z.string()).nullable();
export const leftSegmentsColumn = z.record(z.string(), z.array(z.string())).nullable();

type Columns = {
  readonly segments: z.infer<typeof segmentsColumn>;
  readonly left: z.infer<typeof leftSegmentsColumn>;
};

/** Parts that a player left and joined again are not left. */
export function partsOf({ segments, left }: Columns): { readonly parts: Part[]; readonly leftParts: Part[] } {
  return {
    parts: Object.entries(segments ?? {}).map(([segment, value]) => ({ segment, value })),
    leftParts: Object.entries(left ?? {}).flatMap(([segment, values]) =>
      values.filter((value) => value !== segments?.[segment]).map((value) => ({ segment, value })),
    ),
  };
}
