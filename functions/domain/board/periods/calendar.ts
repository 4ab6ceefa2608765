/** Periods that begin on days of the calendar: days, weeks, months, quarters and years on the wall clock of a zone. */
import { weekOf, weekStart } from "../week.ts";
import { instantOf, wallTimeAt } from "./wall-clock.ts";
import { WEEKDAYS, type CalendarSchedule, type MonthSchedule, type Period, type Periods } from "./schedule.ts";

/** Days are counted from 1970-01-01. */
const DAY_MS = 86_400_000;
const dayOf = (wallMs: number) => Math.floor(wallMs / DAY_MS);
const dateOf = (day: number) => new Date(day * DAY_MS);

/** The days on which periods may begin, and their names. */
type FirstDays = {
  /** The last one at or before the day. */
  atOrBefore(day: number): number;
  next(first: number): number;
  nameOf(first: number): string;
  /** Undefined when the text has not the form of a name; `named` compares the rest. */
  parse(name: string): number | undefined;
};

function dateText(day: number): string {
  return dateOf(day).toISOString().slice(0, 10);
}

function parseDate(text: string): number | undefined {
  const ms = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return Number.isNaN(ms) ? undefined : dayOf(ms);
}

const DAYS: FirstDays = {
  atOrBefore: (day) => day,
  next: (first) => first + 1,
  nameOf: dateText,
  parse: parseDate,
};

function weeksFrom(weekday: number): FirstDays {
  const isMonday = WEEKDAYS[weekday] === "monday";
  return {
    atOrBefore: (day) => day - ((dateOf(day).getUTCDay() - weekday + 7) % 7),
    next: (first) => first + 7,
    nameOf: (first) => (isMonday ? weekOf(first * DAY_MS) : `w${dateText(first)}`),
    parse(name) {
      if (!isMonday) return name.startsWith("w") ? parseDate(name.slice(1)) : undefined;
      const start = weekStart(name);
      return start === undefined ? undefined : dayOf(start);
    },
  };
}

const MONTHS = { month: 1, quarter: 3, year: 12 } as const;
const NAMES = {
  month: /^(?<year>\d{4})-(?<part>0[1-9]|1[0-2])$/,
  quarter: /^(?<year>\d{4})-Q(?<part>[1-4])$/,
  year: /^(?<year>\d{4})$/,
} as const;

function monthsOf({ kind, day: firstDay }: MonthSchedule): FirstDays {
  const length = MONTHS[kind];
  /** Months are counted from January of year 0. */
  const dayIn = (month: number) => {
    const date = new Date(0);
    date.setUTCFullYear(Math.floor(month / 12), ((month % 12) + 12) % 12, firstDay);
    return dayOf(date.getTime());
  };
  const monthOf = (day: number) => dateOf(day).getUTCFullYear() * 12 + dateOf(day).getUTCMonth();
  return {
    atOrBefore(day) {
      const month = Math.floor(monthOf(day) / length) * length;
      return dayIn(month) <= day ? dayIn(month) : dayIn(month - length);
    },
    next: (first) => dayIn(monthOf(first) + length),
    nameOf(first) {
      const year = dateText(first).slice(0, 4);
      const month = dateOf(first).getUTCMonth();
      if (kind === "year") return year;
      return kind === "month" ? dateText(first).slice(0, 7) : `${year}-Q${month / 3 + 1}`;
    },
    parse(name) {
      const { year, part = "1" } = NAMES[kind].exec(name)?.groups ?? {};
      return year === undefined ? undefined : dayIn(Number(year) * 12 + (Number(part) - 1) * length);
    },
  };
}

function firstDaysOf(schedule: CalendarSchedule): FirstDays {
  if (schedule.kind === "day") return DAYS;
  return schedule.kind === "week" ? weeksFrom(WEEKDAYS.indexOf(schedule.firstDay)) : monthsOf(schedule);
}

export function calendarPeriods(schedule: CalendarSchedule): Periods {
  const [hours = 0, minutes = 0] = schedule.at.split(":").map(Number);
  const firstDays = firstDaysOf(schedule);
  const startOf = (first: number) => instantOf(schedule.zone, first * DAY_MS + (hours * 60 + minutes) * 60_000);
  /** Undefined: the zone's clock skips the day as a whole, so that it has no instant. */
  function periodOf(first: number): Period | undefined {
    const [startsAtMs, endsAtMs] = [startOf(first), startOf(firstDays.next(first))];
    return startsAtMs < endsAtMs ? { period: firstDays.nameOf(first), startsAtMs, endsAtMs } : undefined;
  }
  /** The last first day whose period begins at or before the instant, whatever its length. */
  function lastBegun(atMs: number): number {
    // A day more, since the wall clock may have been turned back meanwhile.
    let first = firstDays.atOrBefore(dayOf(wallTimeAt(schedule.zone, atMs)) + 1);
    while (startOf(first) > atMs) first = firstDays.atOrBefore(first - 1);
    return first;
  }
  return {
    from: (atMs) => periodOf(lastBegun(atMs)),
    named(id) {
      const first = firstDays.parse(id);
      const found = first === undefined || firstDays.atOrBefore(first) !== first ? undefined : periodOf(first);
      return found?.period === id ? found : undefined;
    },
  };
}
