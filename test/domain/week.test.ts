import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import {
  keptWeeks,
  nextWeek,
  startOf,
  weekEnd,
  weekExpiry,
  weekOf,
  weekStart,
} from "../../functions/domain/board/week.ts";
import { daysByHand } from "./iso-weeks-by-hand.ts";

const WEEK_MS = 7 * 86_400_000;
const at = (iso: string) => Date.parse(iso);

describe("the week of an instant", () => {
  it("is the ISO week on every day from 2000 to 2100, from the first to the last millisecond", () => {
    let days = 0;
    for (const { startMs, week } of daysByHand()) {
      days++;
      if (weekOf(startMs) !== week || weekOf(startMs + 86_399_999) !== week) {
        expect([new Date(startMs).toISOString(), weekOf(startMs), weekOf(startMs + 86_399_999)]).toEqual([
          "",
          week,
          week,
        ]);
      }
    }
    expect(days).toBe(36_890);
  });

  it.each([
    ["2026-12-31T12:00:00.000Z", "2026-W53"],
    ["2027-01-03T23:59:59.999Z", "2026-W53"],
    ["2027-01-04T00:00:00.000Z", "2027-W01"],
    ["2024-12-30T00:00:00.000Z", "2025-W01"],
    ["2024-12-29T23:59:59.999Z", "2024-W52"],
    ["2021-01-03T23:59:59.999Z", "2020-W53"],
    ["2000-01-01T00:00:00.000Z", "1999-W52"],
    ["1969-12-31T23:59:59.999Z", "1970-W01"],
  ])("%s is in %s", (iso, week) => {
    expect(weekOf(at(iso))).toBe(week);
  });

  it("is the same in every time zone, shown by processes that live there", async () => {
    const hash = createHash("sha256");
    for (const { startMs, week } of daysByHand()) hash.update(`${week} ${week} ${mondayMs(startMs)}\n`);
    const digest = hash.digest("hex");
    const zones = { UTC: 0, "America/Los_Angeles": 480, "Asia/Kolkata": -330, "Pacific/Kiritimati": -840 };
    await Promise.all(
      Object.entries(zones).map(async ([zone, offset]) => {
        expect(await inZone(zone)).toEqual({ january: offset, digest });
      }),
    );
  }, 60_000);
});

/** Monday by counting: 2000-01-03 was one. */
function mondayMs(startMs: number): number {
  const first = at("2000-01-03T00:00:00Z") - WEEK_MS;
  return first + Math.floor((startMs - first) / WEEK_MS) * WEEK_MS;
}

async function inZone(zone: string) {
  const script = fileURLToPath(new URL("every-week.ts", import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [script], { env: { ...process.env, TZ: zone } });
  return z.object({ january: z.number(), digest: z.string() }).parse(JSON.parse(stdout));
}

describe("a week", () => {
  it("starts on its Monday and ends where the next one starts, all the way from 2000 to 2100", () => {
    let week = "2000-W01";
    for (let start = at("2000-01-03T00:00:00Z"); week !== "2101-W01"; start += WEEK_MS) {
      expect(weekStart(week)).toBe(start);
      expect(weekEnd(week)).toBe(start + WEEK_MS);
      expect(weekOf(start - 1)).not.toBe(week);
      week = nextWeek(week);
    }
  });

  it("has a 53rd of its kind only in long years", () => {
    expect(weekStart("2026-W53")).toBe(at("2026-12-28T00:00:00Z"));
    expect(weekStart("2025-W53")).toBeUndefined();
    expect(nextWeek("2026-W53")).toBe("2027-W01");
    expect(nextWeek("2025-W52")).toBe("2026-W01");
  });

  it.each([
    "2026-W00",
    "2026-W54",
    "2026-W1",
    "2026-w42",
    "26-W42",
    " 2026-W42",
    "2026-W42\n",
    "2026W42",
    "",
    "current",
    "٢٠٢٦-W42",
    "0001-W01",
  ])("is not named by %j", (text) => {
    expect(weekStart(text)).toBeUndefined();
    expect(() => startOf(text)).toThrow(RangeError);
  });

  it("leaves Redis 35 days after its end", () => {
    expect(weekExpiry("2026-W42")).toBe(at("2026-11-23T00:00:00Z"));
  });

  it("is kept in Redis together with the five before it, from its first to its last millisecond", () => {
    const kept = ["2026-W42", "2026-W41", "2026-W40", "2026-W39", "2026-W38", "2026-W37"];
    expect(keptWeeks(at("2026-10-12T00:00:00.000Z"))).toEqual(kept);
    expect(keptWeeks(at("2026-10-18T23:59:59.999Z"))).toEqual(kept);
    for (const iso of [
      "2026-10-12T00:00:00.000Z",
      "2026-10-15T12:00:00Z",
      "2026-10-18T23:59:59.999Z",
      "2027-01-03T23:59:59.999Z",
    ]) {
      const now = at(iso);
      const weeks = keptWeeks(now);
      const expected: string[] = [];
      for (let ms = now; ms > now - 20 * WEEK_MS; ms -= WEEK_MS)
        if (weekExpiry(weekOf(ms)) > now) expected.push(weekOf(ms));
      expect(weeks).toEqual(expected);
      expect(weeks[0]).toBe(weekOf(now));
    }
  });
});
