/** When the periods of a board begin: the schedule of a definition. */
import { z } from "zod";
import { cronProblem } from "../domain/board/periods/cron.ts";
import { anchorProblem, everyProblem } from "../domain/board/periods/every.ts";
import { WEEKDAYS, type Schedule as DomainSchedule } from "../domain/board/periods/schedule.ts";
import { seasonProblems } from "../domain/board/periods/seasons.ts";
import { isZone } from "../domain/board/periods/wall-clock.ts";

/** A check that says what is wrong in its own words. */
const checked = (problemOf: (text: string) => string | undefined) =>
  z.string().superRefine((text, context) => {
    const message = problemOf(text);
    if (message !== undefined) context.addIssue({ code: "custom", message });
  });

const Zone = z
  .string()
  .refine(isZone, "must be a time zone of the IANA database, such as Europe/Berlin")
  .default("UTC")
  .meta({
    description: "A time zone of the IANA database; its clock says when a period begins.",
    example: "Europe/Berlin",
  });

const At = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, "must be a time of day such as 04:00")
  .default("00:00")
  .meta({ description: "The time of day at which a period begins.", example: "04:00" });

const Day = z.int().min(1).max(28).default(1).meta({ description: "The day of the month on which a period begins." });

const Time = z.iso.datetime({ offset: true, abort: true });

export const MOST_SEASONS = 200;
const Seasons = z
  .array(
    z.strictObject({
      id: z.string().regex(/^[a-z0-9-]{1,20}$/, "must be 1–20 of a–z, 0–9 and -"),
      startsAt: Time,
      endsAt: Time,
    }),
  )
  .min(1)
  .max(MOST_SEASONS)
  .superRefine((seasons, context) => {
    for (const { season, field, detail } of seasonProblems(seasons))
      context.addIssue({ code: "custom", path: [season, field], message: detail });
  });

const onCalendar = <K extends "month" | "quarter" | "year">(kind: K) =>
  z.strictObject({ kind: z.literal(kind), day: Day, zone: Zone, at: At });

export const Schedule = z
  .discriminatedUnion(
    "kind",
    [
      z.strictObject({ kind: z.literal("never") }),
      z.strictObject({ kind: z.literal("day"), zone: Zone, at: At }),
      z.strictObject({ kind: z.literal("week"), firstDay: z.enum(WEEKDAYS).default("monday"), zone: Zone, at: At }),
      onCalendar("month"),
      onCalendar("quarter"),
      onCalendar("year"),
      z.strictObject({ kind: z.literal("seasons"), seasons: Seasons }),
      z.strictObject({
        kind: z.literal("cron"),
        cron: checked(cronProblem).meta({
          description:
            "Five fields on the wall clock of the zone: minute, hour, day of the month, month, day of the week.",
          example: "0 3 * * MON,THU",
        }),
        zone: Zone,
      }),
      z.strictObject({
        kind: z.literal("every"),
        every: checked(everyProblem).meta({
          description: "An ISO 8601 duration of a minute or more.",
          example: "PT6H",
        }),
        anchor: Time.superRefine((anchor, context) => {
          const message = anchorProblem(anchor);
          if (message !== undefined) context.addIssue({ code: "custom", message });
        }).meta({ description: "When the first period begins.", example: "2026-10-14T18:00:00Z" }),
      }),
    ],
    { error: 'must be "never", "day", "week", "month", "quarter", "year", "seasons", "cron" or "every"' },
  )
  .meta({ id: "Schedule" }) satisfies z.ZodType<DomainSchedule>;
export type Schedule = z.infer<typeof Schedule>;
