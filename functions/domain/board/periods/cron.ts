/** Periods from one fire of a cron expression to the next, on the wall clock of a zone. */
import { Cron } from "croner";
import { startName, startNamed } from "./start-names.ts";
import type { CronSchedule, Period, Periods } from "./schedule.ts";
import { instantOf, wallTimeAt } from "./wall-clock.ts";

const MINUTE_MS = 60_000;
/** Numbers, names of three letters, ranges, steps and lists: croner takes more (seconds, `L`, `#`, `@daily`), which others do not know. */
const VALUE = String.raw`(?:\d{1,2}|[A-Za-z]{3})`;
const RANGE = String.raw`(?:\*|${VALUE}(?:-${VALUE})?)(?:/\d{1,2})?`;
const FIELD = `${RANGE}(?:,${RANGE})*`;
const FIVE_FIELDS = new RegExp(`^${FIELD}(?: ${FIELD}){4}$`);

/** Croner works on wall times as if they were times of UTC; which instants they are is told by `instantOf`. */
const parse = (cron: string) => new Cron(cron, { timezone: "UTC" });

/** What is wrong with an expression, or undefined. */
export function cronProblem(cron: string): string | undefined {
  if (!FIVE_FIELDS.test(cron))
    return "must be a cron expression of five fields: minute, hour, day of the month, month, day of the week";
  try {
    return parse(cron).nextRun(new Date(0)) ? undefined : "must come at least once";
  } catch {
    return "has a field that is out of its range";
  }
}

export function cronPeriods({ cron, zone }: CronSchedule): Periods {
  const fires = parse(cron);
  const next = (wallMs: number) => fires.nextRun(new Date(wallMs))?.getTime();
  const previous = (wallMs: number) => fires.previousRuns(1, new Date(wallMs))[0]?.getTime();
  const periodOf = (startsAtMs: number, endsAtMs: number): Period => {
    return { period: startName(startsAtMs), startsAtMs, endsAtMs };
  };

  /** The last fire at or before the instant, and the first one after it. Several fires of a gap are one instant. */
  function around(atMs: number): Period | undefined {
    let wall = previous(Math.floor(wallTimeAt(zone, atMs) / MINUTE_MS) * MINUTE_MS + MINUTE_MS);
    // The wall clock shows some times twice: a fire that it shows may be still to come, or its next one past.
    while (wall !== undefined && instantOf(zone, wall) > atMs) wall = previous(wall);
    if (wall === undefined) return undefined;
    let startsAtMs = instantOf(zone, wall);
    for (let later = next(wall); later !== undefined; later = next(later)) {
      const at = instantOf(zone, later);
      if (at > atMs) return periodOf(startsAtMs, at);
      startsAtMs = at;
    }
    return undefined;
  }

  return {
    from: around,
    named(id) {
      const startsAtMs = startNamed(id);
      const found = startsAtMs === undefined ? undefined : around(startsAtMs);
      return found?.startsAtMs === startsAtMs ? found : undefined;
    },
  };
}
