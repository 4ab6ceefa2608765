import { describe, expect, it } from "vitest";
import { PeriodsResponse } from "../../functions/contract/defined-boards.ts";
import { startOf, WEEK_MS, weekOf } from "../../functions/domain/board/week.ts";
import { call } from "../harness/api.ts";
import { newGame } from "../harness/game.ts";

const iso = (ms: number) => new Date(ms).toISOString();

/** What reads say of the week that holds the moment. */
function weekAt(ms: number, state: string) {
  const week = weekOf(ms);
  const startsAtMs = startOf(week);
  return { board: week, period: week, startsAt: iso(startsAtMs), resetsAt: iso(startsAtMs + WEEK_MS), state };
}

describe("reads of the boards that every game has say in which period they are", () => {
  it.each([
    { name: "current", of: () => weekAt(Date.now(), "open") },
    { name: "weekly", of: () => weekAt(Date.now(), "open") },
    { name: "weekly.previous", of: () => weekAt(Date.now() - WEEK_MS, "closed") },
    { name: "2025-W07", of: () => weekAt(Date.parse("2025-02-12T12:00:00Z"), "closed") },
    { name: "2199-W10", of: () => weekAt(Date.parse("2199-03-06T12:00:00Z"), "upcoming") },
    {
      name: "all-time",
      of: () => ({ board: "all-time", period: "all", startsAt: null, resetsAt: null, state: "open" }),
    },
  ])("$name", async ({ name, of }) => {
    const game = await newGame();
    expect(await game.top(name)).toMatchObject(of());
    expect(await game.count(name)).toMatchObject(of());
  });

  it("of a player and their neighbours too, and as the list of periods has it", async () => {
    const game = await newGame();
    await game.submit({ player: "ada", points: 7 });
    const expected = weekAt(Date.now(), "open");
    expect(await game.standing("ada")).toMatchObject(expected);
    expect(await game.around("ada")).toMatchObject(expected);
    const { body } = await call(`${game.base}/boards/weekly/periods?n=1`, { key: null });
    const [period] = PeriodsResponse.parse(body).periods;
    const { startsAt, resetsAt: endsAt, state } = expected;
    expect(period).toEqual({ period: expected.period, startsAt, endsAt, state });
  });

  it("and have the value that the board ranks beside the points", async () => {
    const game = await newGame();
    await game.submit({ player: "ada", points: 7 });
    expect((await game.top()).entries).toMatchObject([{ points: 7, value: 7 }]);
    expect(await game.standing("ada", "all-time")).toMatchObject({ points: 7, value: 7 });
    expect((await game.around("ada")).entry).toMatchObject({ points: 7, value: 7 });
  });
});
