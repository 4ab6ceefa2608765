/** `npm run boards -- preview`: the next periods of a board's definition. */
import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { z } from "zod";
import { BoardDefinition } from "../../functions/contract/board-definitions.ts";
import type { Schedule } from "../../functions/contract/schedules.ts";
import { inWords } from "../../functions/contract/words.ts";
import { periodsFrom } from "../../functions/domain/board/periods.ts";
import { runTool } from "../command-line.ts";
import { table } from "../table.ts";
import { parseOptions, USAGE, type Preview } from "./options.ts";

function parseJson(given: string): unknown {
  try {
    return JSON.parse(given);
  } catch (cause) {
    throw new Error("the definition is no JSON", { cause });
  }
}

/** Throws with where the definition is wrong. */
async function readDefinition(file: string): Promise<BoardDefinition> {
  z.config({ customError: inWords });
  const parsed = BoardDefinition.safeParse(
    parseJson(file === "-" ? await text(process.stdin) : await readFile(file, "utf8")),
  );
  if (parsed.success) return parsed.data;
  throw new Error(parsed.error.issues.map(({ path, message }) => `/${path.join("/")} ${message}`).join("\n"));
}

const zoneOf = (schedule: Schedule) => ("zone" in schedule ? schedule.zone : "UTC");

/** An instant on the clock of a zone, with its offset. */
const onClock = (zone: string) => {
  const weekday = new Intl.DateTimeFormat("en", { timeZone: zone, weekday: "short" });
  const clock = new Intl.DateTimeFormat("sv-SE", {
    timeZone: zone,
    dateStyle: "short",
    timeStyle: "short",
  });
  const offset = new Intl.DateTimeFormat("en", { timeZone: zone, timeZoneName: "longOffset" });
  const offsetOf = (ms: number) => offset.formatToParts(ms).find(({ type }) => type === "timeZoneName")?.value ?? "";
  return (ms: number) => `${weekday.format(ms)} ${clock.format(ms)} ${offsetOf(ms)}`;
};
const inUtc = (ms: number) => new Date(ms).toISOString().slice(0, 16);

function lengthOf(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  const [days, hours] = [Math.floor(minutes / 1_440), Math.floor(minutes / 60) % 24];
  return [days && `${days} d`, hours && `${hours} h`, minutes % 60 && `${minutes % 60} min`].filter(Boolean).join(" ");
}

async function run({ file, n, from }: Preview): Promise<number> {
  const { schedule } = await readDefinition(file);
  if (schedule.kind === "never") {
    console.log("one period, `all`, without an end");
    return 0;
  }
  const periods = periodsFrom(schedule, from === undefined ? Date.now() : Date.parse(from), n);
  if (periods.length === 0) {
    console.log("no period from then on");
    return 0;
  }
  const zone = zoneOf(schedule);
  const clock = onClock(zone);
  const rows = periods.map(({ period, startsAtMs, endsAtMs }) => [
    period,
    clock(startsAtMs),
    inUtc(startsAtMs),
    inUtc(endsAtMs),
    lengthOf(endsAtMs - startsAtMs),
  ]);
  console.log(table([["period", `starts (${zone})`, "starts (UTC)", "ends (UTC)", "length"], ...rows]));
  return 0;
}

await runTool({ usage: USAGE, parse: parseOptions, run });
