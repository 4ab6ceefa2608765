/** Periods that are given one by one. Between two of them nothing counts. */
import type { Period, Periods, Season, SeasonSchedule } from "./schedule.ts";

const toPeriod = ({ id, startsAt, endsAt }: Season): Period => {
  return { period: id, startsAtMs: Date.parse(startsAt), endsAtMs: Date.parse(endsAt) };
};

const inOrder = (seasons: readonly Season[]): Period[] =>
  seasons.map(toPeriod).toSorted((a, b) => a.startsAtMs - b.startsAtMs);

export type SeasonProblem = {
  readonly season: number;
  readonly field: "id" | "startsAt" | "endsAt";
  readonly detail: string;
};

/** What is wrong with a list of seasons, in their order in the list. */
export function seasonProblems(seasons: readonly Season[]): SeasonProblem[] {
  return seasons.flatMap((season, i): SeasonProblem[] => {
    const { startsAtMs, endsAtMs } = toPeriod(season);
    if (endsAtMs <= startsAtMs) return [{ season: i, field: "endsAt", detail: "must be later than `startsAt`" }];
    const earlier = seasons.slice(0, i);
    if (earlier.some(({ id }) => id === season.id))
      return [{ season: i, field: "id", detail: "must not be given twice" }];
    const overlapped = earlier.find((other) => {
      const { startsAtMs: starts, endsAtMs: ends } = toPeriod(other);
      return starts < endsAtMs && startsAtMs < ends;
    });
    return overlapped
      ? [{ season: i, field: "startsAt", detail: `must not overlap the season "${overlapped.id}"` }]
      : [];
  });
}

export function seasonPeriods({ seasons }: SeasonSchedule): Periods {
  const periods = inOrder(seasons);
  return {
    from: (atMs) => periods.find(({ endsAtMs }) => endsAtMs > atMs),
    named: (id) => periods.find(({ period }) => period === id),
  };
}
