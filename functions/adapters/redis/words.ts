/** How numbers go to the library of functions, and how its replies come back. */
import { z } from "zod";
import type { Board } from "../../domain/board/board.ts";

/** The reply of most functions: one flat list of texts. */
export const flatReply = z.array(z.string());

/** Unix milliseconds as the whole seconds that a function takes. */
export const seconds = (ms: number): string => String(Math.floor(ms / 1000));

/** When the board begins, and when it leaves Redis; empty for one that never ends. */
export const timesOf = ({ period }: Board): readonly [string, string] =>
  period ? [seconds(period.startsAtMs), seconds(period.expiresAtMs)] : ["", ""];
