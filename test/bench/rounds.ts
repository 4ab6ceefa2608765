/** Repeats measurements in turn, so that a slow moment of the machine hits all of them, and keeps medians and spread. */

export type Figure = {
  readonly median: number;
  readonly min: number;
  readonly max: number;
};

/** Median, lowest and highest of some values. */
export function figure(values: readonly number[]): Figure {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const median =
    sorted.length % 2 === 1 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
  return { median, min: sorted[0] ?? 0, max: sorted.at(-1) ?? 0 };
}

/** Runs every measurement once a round; results by name, in the order of the rounds. */
export async function inTurn<T>(
  rounds: number,
  measurements: Readonly<Record<string, () => Promise<T>>>,
  say: (line: string) => void,
): Promise<Record<string, T[]>> {
  const results: Record<string, T[]> = {};
  for (let round = 1; round <= rounds; round++) {
    for (const [name, measure] of Object.entries(measurements)) {
      say(`round ${round} of ${rounds}: ${name}`);
      (results[name] ??= []).push(await measure());
    }
  }
  return results;
}
