/** What an endpoint has done since it started or since `DELETE /__stats`. */
export interface Stats {
  requests: number;
  /** Commands (Upstash) or statements (Neon) sent upstream. */
  operations: number;
  bytesIn: number;
  bytesOut: number;
  /** Operations by their first word: `FCALL`, `insert`, … */
  byName: Record<string, number>;
}

/** Counters at zero. */
export function emptyStats(): Stats {
  return { requests: 0, operations: 0, bytesIn: 0, bytesOut: 0, byName: {} };
}

/** Counts one operation. */
export function countOperation(stats: Stats, name: string): void {
  stats.operations += 1;
  stats.byName[name] = (stats.byName[name] ?? 0) + 1;
}
