import { unreadable } from "./words.ts";

/** Reads a flat reply from the front. */
export type ReplyReader = {
  next(): string;
  nextNumber(): number;
  /** Undefined for ''. */
  nextRank(): number | undefined;
  left(): number;
};

export function readerOf(reply: readonly string[]): ReplyReader {
  let at = 0;
  const next = () => {
    const value = reply[at++];
    if (value === undefined) throw unreadable();
    return value;
  };
  const nextRank = () => {
    const rank = next();
    return rank === "" ? undefined : Number(rank);
  };
  return { next, nextNumber: () => Number(next()), nextRank, left: () => reply.length - at };
}
