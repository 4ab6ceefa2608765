/**
 * How much a job asks for at once. A statement that outlives its deadline is rolled back, so asking for the same again would
 * never end: after each such failure the page is half as long, and grows back slowly. An isolate remembers it, since the
 * next run of the job begins where this one stopped.
 */
import { handleWhen, retry } from "cockatiel";
import { isSlow } from "../domain/errors.ts";
import { createMemory } from "./memory.ts";

const LEAST = 10;
const GROWTH = 1.25;
/** Halvings of one call: with the first attempt three deadlines, which is what a tick has time for. */
const MOST_HALVINGS = 2;

/** Pages that are not as long as they may be, by job and game. */
const sizes = createMemory<number>();

/** What the job asks for now; `most` unless that took too long. */
export const pageSize = (job: string, most: number): number => Math.min(sizes.get(job) ?? most, most);

function halve(job: string, most: number): void {
  sizes.set(job, Math.max(LEAST, Math.floor(pageSize(job, most) / 2)));
}

function grow(job: string, most: number): void {
  const size = Math.ceil(pageSize(job, most) * GROWTH);
  if (size >= most) sizes.delete(job);
  else sizes.set(job, size);
}

/** Does one page once; a page that took too long throws, and the next one is shorter. */
export async function onePage<T>(job: string, most: number, work: (n: number) => Promise<T>): Promise<T> {
  try {
    const done = await work(pageSize(job, most));
    grow(job, most);
    return done;
  } catch (error) {
    if (isSlow(error)) halve(job, most);
    throw error;
  }
}

/** Does one page, and a shorter one if it took too long. `n`: what was asked for in the end. */
export async function somePage<T>(job: string, most: number, work: (n: number) => Promise<T>) {
  return retry(handleWhen(isSlow), { maxAttempts: MOST_HALVINGS }).execute(() =>
    onePage(job, most, async (n) => ({ n, page: await work(n) })),
  );
}
