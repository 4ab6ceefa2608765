import { describe, expect, it } from "vitest";
import { BoardDefinition, BoardId } from "../../functions/contract/board-definitions.ts";

const RACE = { statistic: "lapMs", order: "asc", value: { min: 0, max: 3_600_000 } };
const day = (fields: object) => ({ ...RACE, schedule: { kind: "day", ...fields } });

const WORSE = '/tie must be "earliest" where results can get worse: the time tells which one is newer';

/** Where a definition is wrong, and why. */
function problemsOf(definition: unknown): string[] {
  const issues = BoardDefinition.safeParse(definition).error?.issues ?? [];
  return issues.map(({ path, message }) => `/${path.join("/")} ${message}`);
}

describe("a definition", () => {
  it("of a statistic alone gets the defaults", () => {
    expect(BoardDefinition.parse({ statistic: "points" })).toEqual({
      statistic: "points",
      order: "desc",
      aggregation: "best",
      value: { min: 0, max: 8_589_934_591, decimals: 0 },
      tie: "earliest",
      keyed: false,
      schedule: { kind: "never" },
      graceSeconds: 60,
      segments: [],
      metadata: { maxBytes: 0 },
      answer: { rank: true, segmentRanks: [] },
      live: true,
      retentionDays: 35,
      rewards: [],
    });
  });

  it.each([
    {
      parts: [
        { statistic: "stars", bits: 8 },
        { statistic: "lapMs", order: "asc", bits: 25 },
      ],
    },
    { statistic: "x", value: { min: -4.5, max: 4.5, decimals: 1 } },
    { statistic: "x", value: { min: -(2 ** 52), max: 2 ** 52 - 1 }, tie: "id" },
    { statistic: "wins", aggregation: "count" },
    { statistic: "coins", aggregation: "sum", tie: "id" },
    { statistic: "x", value: { max: 9_999_999_999_999.9, decimals: 1 }, tie: "id" },
    day({ zone: "Europe/Berlin", at: "04:00" }),
    day({ zone: "Antarctica/Troll" }),
    { ...RACE, schedule: { kind: "cron", cron: "*/5 8-20 * * MON-FRI", zone: "Asia/Kathmandu" } },
    { ...RACE, schedule: { kind: "every", every: "PT1M", anchor: "2026-10-14T18:00:00+02:00" } },
  ])("%j is taken", (definition) => {
    expect(problemsOf(definition)).toEqual([]);
  });

  it.each<[object, string]>([
    [{}, "/statistic is required, or else `parts`; not both"],
    [{ statistic: "b", parts: [{ statistic: "a", bits: 1 }] }, "/statistic is required, or else `parts`; not both"],
    [
      {
        parts: [
          { statistic: "a", bits: 1 },
          { statistic: "a", bits: 1 },
        ],
      },
      "/parts/1/statistic must not be named twice",
    ],
    [
      {
        parts: [
          { statistic: "a", bits: 30 },
          { statistic: "b", bits: 24 },
        ],
      },
      "/parts must tell apart at most 2^53 values",
    ],
    [{ parts: [{ statistic: "a", bits: 44 }] }, '/tie must be "id": more than 2^43 values leave no room for the time'],
    [
      { parts: [{ statistic: "a", bits: 4 }], aggregation: "sum" },
      '/aggregation must be "best" or "last" for a board of parts',
    ],
    [{ parts: [{ statistic: "a", bits: 4 }], order: "asc" }, "/order is said by each part"],
    [{ parts: [{ statistic: "a", bits: 4 }], value: { max: 5 } }, "/value is bounded by the bits of each part"],
    [{ statistic: "a", value: { min: 5, max: 5 } }, "/value/max must be more than `min`"],
    [{ statistic: "a", value: { min: 0.25, decimals: 1 } }, "/value/min must have at most 1 decimal places"],
    [{ statistic: "a", value: { max: 2 ** 53 } }, "/value/max must be 2^53-1 or less in its last decimal place"],
    [
      { statistic: "a", value: { min: -(2 ** 52), max: 2 ** 52 }, tie: "id" },
      "/value must tell apart at most 2^53 values",
    ],
    [
      { statistic: "a", value: { max: 2 ** 43 } },
      '/tie must be "id": more than 2^43 values leave no room for the time',
    ],
    [{ statistic: "a", aggregation: "count", order: "asc" }, '/order must be "desc" for a count'],
    [
      { statistic: "a", aggregation: "count", value: { min: 2 } },
      "/value/min must be 1 or less for a count, which begins with 1",
    ],
    [
      { statistic: "a", value: { max: 5 * 10 ** 13, decimals: 2 } },
      "/value/max must have at most 15 digits, its decimal places among them",
    ],
    [{ statistic: "a", tie: "id", aggregation: "last" }, WORSE],
    [{ statistic: "a", tie: "id", aggregation: "sum", order: "asc" }, WORSE],
    [{ statistic: "a", tie: "id", aggregation: "sum", value: { min: -1 } }, WORSE],
    [{ statistic: "a", title: "a\u0000" }, "/title must be text without control characters"],
    [{ statistic: "a", title: "\ud800" }, "/title must be text without control characters"],
    [
      { statistic: "a", segments: ["country"], answer: { segmentRanks: ["country", "country"] } },
      "/answer/segmentRanks/1 must not be named twice",
    ],
    [{ statistic: "a", segments: ["country", "country"] }, "/segments/1 must not be named twice"],
    [{ statistic: "a", answer: { segmentRanks: ["country"] } }, "/answer/segmentRanks/0 must be one of `segments`"],
    [{ statistic: "Points" }, "/statistic must be 1–32 letters and digits, and begin with a small letter"],
    [day({ zone: "Mars/Olympus" }), "/schedule/zone must be a time zone of the IANA database, such as Europe/Berlin"],
    [day({ zone: "+01:00" }), "/schedule/zone must be a time zone of the IANA database, such as Europe/Berlin"],
    [day({ at: "24:00" }), "/schedule/at must be a time of day such as 04:00"],
    [{ ...RACE, schedule: { kind: "cron", cron: "0 0 31 2 *" } }, "/schedule/cron must come at least once"],
    [
      { ...RACE, schedule: { kind: "cron", cron: "61 * * * *" } },
      "/schedule/cron has a field that is out of its range",
    ],
    ...["* * * * * *", "@daily", "0 0 L * *", "0 0 * * MON#2", "0 0 15W * *", ""].map((cron): [object, string] => [
      { ...RACE, schedule: { kind: "cron", cron } },
      "/schedule/cron must be a cron expression of five fields: minute, hour, day of the month, month, day of the week",
    ]),
    ...["PT59S", "P1M", "PT", "P", "PT0M", "6h", "PT1.5H"].map((every): [object, string] => [
      { ...RACE, schedule: { kind: "every", every, anchor: "2026-01-01T00:00:00Z" } },
      "/schedule/every must be an ISO 8601 duration of a minute or more, in weeks, days, hours and minutes, such as PT6H",
    ]),
    [
      { ...RACE, schedule: { kind: "every", every: "PT1H", anchor: "2026-01-01T00:00:30Z" } },
      "/schedule/anchor must be a whole minute",
    ],
  ])("%j is refused", (definition, problem) => {
    expect(problemsOf(definition)).toEqual([problem]);
  });

  it("refuses seasons that overlap, end before they start, or share an id", () => {
    const season = (id: string, from: number, to: number) => {
      return { id, startsAt: `2026-0${from}-01T00:00:00Z`, endsAt: `2026-0${to}-01T00:00:00Z` };
    };
    const seasons = [season("a", 2, 4), season("b", 3, 5), season("c", 6, 6), season("a", 8, 9)];
    expect(problemsOf({ ...RACE, schedule: { kind: "seasons", seasons } })).toEqual([
      '/schedule/seasons/1/startsAt must not overlap the season "a"',
      "/schedule/seasons/2/endsAt must be later than `startsAt`",
      "/schedule/seasons/3/id must not be given twice",
    ]);
  });

  it("has an id that is not taken", () => {
    const ids = [
      "laps",
      "a",
      "song-2",
      "current",
      "all-time",
      "weekly",
      "previous",
      "2fast",
      "Laps",
      "",
      "a".repeat(33),
    ];
    expect(ids.filter((id) => BoardId.safeParse(id).success)).toEqual(["laps", "a", "song-2"]);
  });
});
