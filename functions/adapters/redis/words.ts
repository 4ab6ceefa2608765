/** How numbers go to the library of functions, and how its replies come back. */
import { z } from "zod";
import { DependencyError } from "../../domain/errors.ts";
import type { Board } from "../../domain/board/board.ts";

/** An unreadable answer is none: a proxy in between may have sent it, or a server of another kind. */
export const unreadable = (): DependencyError => new DependencyError("redis", "unreachable", "unreadable");

/** What Redis answered. Throws DependencyError when it is not of this shape. */
export function replyOf<T extends z.ZodType>(shape: T, reply: unknown): z.infer<T> {
  const parsed = shape.safeParse(reply);
  if (!parsed.success) throw unreadable();
  return parsed.data;
}

const texts = z.array(z.string());

/** The reply of most functions: one flat list of texts. Throws DependencyError for anything else. */
export const flatReply = (reply: unknown): string[] => replyOf(texts, reply);

/** Unix milliseconds as the whole seconds that a function takes. */
export const seconds = (ms: number): string => String(Math.floor(ms / 1000));

/** When the board begins, and when it leaves Redis; empty for one that never ends. */
export const timesOf = ({ period }: Board): readonly [string, string] =>
  period ? [seconds(period.startsAtMs), seconds(period.expiresAtMs)] : ["", ""];
