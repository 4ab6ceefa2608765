import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { nowUs, type Item } from "./engine.ts";
import { definedBoard, partOf, submitDefined, type DefinedEntry } from "./defined.ts";
import { WEEK } from "./keys.ts";
import { useRedis } from "./use-redis.ts";

const server = useRedis();

/** Commands that Upstash bills for one call: the call and every command inside, as Redis counts them. */
async function billed(run: () => Promise<unknown>): Promise<number> {
  await server.redis.config("RESETSTAT");
  await run();
  const stats = await server.redis.info("commandstats");
  const calls = [...stats.matchAll(/^cmdstat_(?!config|info)\S+?:calls=(\d+)/gm)];
  return calls.reduce((sum, [, count]) => sum + Number(count), 0);
}

const second = (n: number) => WEEK.start + n;
const best = { points: 10, at: second(0) };

/** A board of 20 in two countries, plus "me" with 10 points on the last place. */
async function board() {
  const engine = await server.openGame();
  const others = Array.from({ length: 20 }, (_, i) => ({
    player: `p${i}`,
    points: 1000 - i,
    country: i % 2 ? "DE" : "FR",
  }));
  await engine.submit([...others, { player: "me", points: 10, country: "DE" }], WEEK, nowUs() - 1_000_000);
  return engine;
}

const KINDS: [kind: string, commands: number, item: Item][] = [
  ["no best", 5, { player: "me", points: 1, best, country: "DE", flags: "" }],
  ["no best, no country", 4, { player: "p0", points: 1, best: { points: 1000, at: second(0) }, flags: "" }],
  ["best of the week only", 7, { player: "me", points: 11, country: "DE", flags: "w" }],
  ["best of the week and of all time", 8, { player: "me", points: 11, country: "DE", flags: "wa" }],
  ["first of the week", 8, { player: "new", points: 11, country: "DE", flags: "wa" }],
  ["first of the week, no country", 6, { player: "new", points: 11, flags: "wa" }],
  ["best with a move to another country", 9, { player: "me", points: 11, country: "FR", left: ["DE"], flags: "wa" }],
  ["into the top 10 of the week", 9, { player: "me", points: 995, country: "DE", flags: "w" }],
  ["into the top 10 of the week and of all time", 10, { player: "me", points: 995, country: "DE", flags: "wa" }],
  ["first of the week and first place everywhere", 12, { player: "new", points: 9999, country: "DE", flags: "wa" }],
  ["a replay that changes nothing", 8, { player: "me", points: 10, best, submission: "", country: "DE", flags: "wa" }],
];

describe("commands billed for a submission", () => {
  it.each(KINDS)("%s: %i", async (_kind, commands, item) => {
    const engine = await board();
    expect(await billed(() => engine.submit([item], WEEK))).toBe(commands);
  });

  it("are those in lua/README.md", async () => {
    const readme = await readFile(new URL("../../lua/README.md", import.meta.url), "utf8");
    for (const [kind, commands] of KINDS) expect(readme).toContain(`| ${kind} | ${commands} |`);
  });

  it("of the very first player of a week are those of any first place", async () => {
    const engine = await server.openGame();
    expect(await billed(() => engine.submit([{ player: "ann", points: 1, country: "DE" }], WEEK))).toBe(12);
  });

  it("in a batch share the call", async () => {
    const engine = await board();
    const items = Array.from({ length: 100 }, (_, i) => ({ player: `n${i}`, points: 1, country: "DE" }));
    expect(await billed(() => engine.submit(items, WEEK))).toBe(1 + 7 * 100);
  });
});

type Kind = readonly [
  kind: string,
  commands: number,
  entry: Partial<DefinedEntry> & { of?: "raised" | "newer" | "part" },
];
/** Beyond the call and the look whether the game is there, which a feed event does otherwise. */
const ENTRY_KINDS: readonly Kind[] = [
  ["nothing to write", 1, { strength: 5, flags: "p" }],
  ["greater", 2, { strength: 11 }],
  ["greater, no rank wanted, not live", 1, { of: "part", strength: 11, flags: "w" }],
  ["first of the player there, no rank wanted, not live", 2, { of: "part", player: "new", strength: 11, flags: "w" }],
  ["greater, into a live top 10", 4, { strength: 995 }],
  ["greater, first of a live board", 5, { strength: 9999 }],
  ["newer", 4, { of: "newer", strength: 11, tick: 99 }],
  ["newer, no later time", 2, { of: "newer", strength: 11 }],
  ["newer, first of the player there", 5, { of: "newer", player: "new", strength: 11 }],
  ["newer, into a live top 10", 6, { of: "newer", strength: 995, tick: 99 }],
  ["newer, out of a live top 10", 6, { of: "newer", player: "p9", strength: 1, tick: 99 }],
  ["taken off a part", 1, { of: "part", mode: "x" }],
];

describe("commands billed for an entry of a board that games define", () => {
  it.each(ENTRY_KINDS)("%s: %i", async (_kind, commands, { of = "raised", ...entry }) => {
    const engine = await server.openGame();
    const raised = definedBoard(engine, "laps");
    const boards = { raised, newer: definedBoard(engine, "mood", { kind: "n" }), part: partOf(raised, "crew", "red") };
    for (const board of Object.values(boards)) {
      const others = Array.from({ length: 20 }, (_, i) => ({ board, player: `p${i}`, strength: 1000 - i, tick: 5 }));
      await submitDefined(engine, [...others, { board, player: "me", strength: 10, tick: 5 }]);
      await server.redis.del(board.lease);
    }
    const submit = () => submitDefined(engine, [{ board: boards[of], player: "me", tick: 5, ...entry }]);
    expect(await billed(submit)).toBe(2 + commands);
  });

  it("are those in lua/README.md", async () => {
    const readme = await readFile(new URL("../../lua/README.md", import.meta.url), "utf8");
    for (const [kind, commands] of ENTRY_KINDS) expect(readme).toContain(`| ${kind} | ${commands} |`);
  });
});

describe("commands billed for a read", () => {
  it("do not depend on the size of the page", async () => {
    const engine = await board();
    const week = engine.keys.board(WEEK);
    const at = second(0);
    const reads: [number, () => Promise<unknown>][] = [
      [5, () => engine.top(week, 10)],
      [5, () => engine.top(week, 100)],
      [9, () => engine.top(week, 10, { player: "p5", points: 995, at })],
      [8, () => engine.around(week, "me", 5)],
      [3, () => engine.count(week)],
      // The first look counts the players of the feed, the second finds nothing new.
      [9, () => engine.count(week, WEEK)],
      [6, () => engine.count(week, WEEK)],
      [6, () => engine.push(week)],
    ];
    for (const [commands, run] of reads) expect(await billed(run)).toBe(commands);
  });
});
