import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { isNewer } from "../../functions/contract/live.ts";
import { call } from "../harness/api.ts";
import { problemOf } from "../harness/game.ts";
import { openStores } from "../harness/stores.ts";
import { until } from "../harness/until.ts";
import { gameWith, put } from "./defined-boards.ts";
import { ranked, shown, type Brought, type Rule } from "./defined-model.ts";

const stores = openStores();
const HEALING_MS = 40_000;
const N = 7;

/** A period that began some days ago, whose steps are milliseconds. */
const EVERY = {
  kind: "every",
  every: "P7D",
  anchor: new Date(Math.floor(Date.now() / 60_000) * 60_000 - 5 * 86_400_000).toISOString(),
};
const SIGNED = { min: -1_000, max: 1_000 };

const RULES: Readonly<Record<string, Record<string, Rule>>> = {
  "best and last": {
    most: {},
    least: { order: "asc" },
    "most-by-id": { tie: "id" },
    "least-by-id": { order: "asc", tie: "id" },
    latest: { aggregation: "last" },
    "latest-asc": { aggregation: "last", order: "asc" },
    "most-of-many": { value: { min: -1_000, max: 2 ** 42 }, stepMs: 1_000 },
    "by-id-of-most": { value: { min: 0, max: 2 ** 52 }, tie: "id" },
  },
  "sum and count": {
    total: { aggregation: "sum" },
    "total-by-id": { aggregation: "sum", tie: "id" },
    "total-asc": { aggregation: "sum", order: "asc" },
    signed: { aggregation: "sum", value: SIGNED },
    "signed-asc": { aggregation: "sum", order: "asc", value: SIGNED },
    count: { aggregation: "count", value: { max: 1_000 } },
    "count-by-id": { aggregation: "count", value: { max: 1_000 }, tie: "id" },
  },
};

/** Results of 25 players with few values and times, so that many are equal: three each, the last one on another platform. */
function results(): Brought[] {
  const startMs = Date.now() - 3_600_000;
  return [0, 1, 2].flatMap((round) =>
    Array.from({ length: 25 }, (_, i) => ({
      player: `p${String(i).padStart(2, "0")}`,
      value: (i * (round + 1)) % 4,
      atMs: startMs + round * 1_000 + (i % 3),
      ios: (i + (round === 2 ? 1 : 0)) % 2 === 0,
    })),
  );
}

async function play(game: string, brought: readonly Brought[]): Promise<void> {
  const submissions = brought.map(({ player, value, atMs, ios }) => ({
    player,
    values: { v: value },
    segments: { platform: ios ? "ios" : "web" },
    submittedAt: new Date(atMs).toISOString(),
    idempotencyKey: randomUUID(),
  }));
  const { status, body } = await call(`/v1/games/${game}/scores/batch`, { body: { submissions } });
  expect(status, JSON.stringify(body)).toBe(200);
}

async function gameOf(rules: Readonly<Record<string, Rule>>): Promise<string> {
  const definition = (rule: Rule) => ({
    statistic: "v",
    schedule: EVERY,
    segments: ["platform"],
    ...rule,
    stepMs: undefined,
  });
  const [[first = "", rule = {}] = [], ...others] = Object.entries(rules);
  const game = await gameWith(first, definition(rule));
  for (const [board, other] of others) expect((await put(game, board, definition(other))).status).toBe(201);
  return game;
}

const Body = z.looseObject({
  version: z.string().optional(),
  next: z.string().nullish(),
  entries: z.array(z.looseObject({ rank: z.int(), player: z.string() })).optional(),
});
type Read = { readonly source: string | null; readonly degraded: string | null; readonly body: z.infer<typeof Body> };

async function read(game: string, path: string): Promise<Read> {
  const { status, headers, body } = await call(`/v1/games/${game}/boards/${path}`, { key: null });
  expect(status, JSON.stringify(body)).toBe(200);
  const [source, degraded] = [headers.get("edgeboard-source"), headers.get("edgeboard-degraded")];
  return { source, degraded, body: Body.parse(body) };
}

const PARTS = ["", "&segment=platform:ios"];

/** All pages of a board, the windows around some players, their places, and the count. */
async function everyRead(game: string, board: string, part: string): Promise<Read[]> {
  const found: Read[] = [];
  let cursor = "";
  do {
    const page = await read(game, `${board}/top?n=${N}${part}${cursor && `&cursor=${cursor}`}`);
    found.push(page);
    cursor = page.body.next ?? "";
  } while (cursor !== "");
  const others = ["around/p01?k=2", "around/p13?k=3", "players/p23?", "players-count?"];
  return [...found, ...(await Promise.all(others.map((path) => read(game, `${board}/${path}${part}`))))];
}

async function readAll(game: string, rules: Readonly<Record<string, Rule>>) {
  const boards = Object.keys(rules).flatMap((board) => PARTS.map((part) => ({ board, part })));
  const reads = await Promise.all(
    boards.map(async (one) => ({ ...one, reads: await everyRead(game, one.board, one.part) })),
  );
  return { reads, flat: reads.flatMap((one) => one.reads) };
}

/** Reads until all answers come from there. */
const readFrom = (source: string, game: string, rules: Readonly<Record<string, Rule>>) =>
  until(
    `all boards are read from ${source}`,
    async () => {
      const found = await readAll(game, rules);
      return found.flat.every((one) => one.source === source) && found;
    },
    HEALING_MS,
  );

const bodiesOf = ({ reads }: Awaited<ReturnType<typeof readAll>>) =>
  reads.map(({ board, part, reads: of }) => [board, part, of.map(({ body }) => body)]);

function expectModel(
  { reads }: Awaited<ReturnType<typeof readAll>>,
  rules: Readonly<Record<string, Rule>>,
  brought: readonly Brought[],
): void {
  for (const { board, part, reads: of } of reads) {
    const rule = rules[board] ?? {};
    const expected = shown(rule, ranked(rule, brought, part !== ""));
    const pages = of.slice(0, Math.ceil(expected.length / N)).flatMap(({ body }) => body.entries ?? []);
    expect(pages, `${board}${part}`).toMatchObject(expected);
    expect(pages).toHaveLength(expected.length);
    const [around, wider, standing, count] = of.slice(-4);
    const places = (one: Read | undefined) => one?.body.entries?.map(({ rank }) => rank);
    expect(places(around)).toHaveLength(5);
    expect(places(wider)).toHaveLength(7);
    expect(standing?.body, board).toMatchObject(expected.find(({ player }) => player === "p23") ?? { player: "none" });
    expect(count?.body).toMatchObject({ ranked: expected.length, estimate: expected.length });
  }
}

describe.each(Object.entries(RULES))("boards of %s", (_, rules) => {
  it("are read from Redis, from Postgres while Redis has lost them, and from Redis again, with the same answers and versions", async () => {
    const [game, brought] = [await gameOf(rules), results()];
    await play(game, brought);
    const fromRedis = await readFrom("redis", game, rules);
    expectModel(fromRedis, rules, brought);
    expect(fromRedis.flat.every(({ degraded }) => degraded === null)).toBe(true);

    await stores.lose(game);
    await stores.redis.del(await stores.keys(game));
    const fromPostgres = await readFrom("postgres", game, rules);
    expect(fromPostgres.flat.every(({ degraded }) => degraded === "true")).toBe(true);
    expect(bodiesOf(fromPostgres)).toEqual(bodiesOf(fromRedis));

    await stores.allowRebuild(game);
    expect(bodiesOf(await readFrom("redis", game, rules))).toEqual(bodiesOf(fromRedis));
  });

  it("have the same version when they are empty, and when a moderator took players off", async () => {
    const game = await gameOf(rules);
    const empty = async () => {
      const reads = await Promise.all(Object.keys(rules).map((board) => read(game, `${board}/top`)));
      return reads.map(({ source, body }) => ({ source, version: body.version, entries: body.entries }));
    };
    for (const one of await empty()) expect(one).toEqual({ source: "redis", version: "0", entries: [] });
    const brought = results();
    await play(game, brought);
    const before = await readFrom("redis", game, rules);
    expect((await call(`/v1/games/${game}/players/p03/ban`, { method: "PUT" })).status).toBeLessThan(300);
    const rest = brought.filter(({ player }) => player !== "p03");
    const after = await until("the player is off every board", async () => {
      const found = await readFrom("redis", game, rules);
      return found.flat.every(({ body }) => !JSON.stringify(body).includes("p03")) && found;
    });
    expectModel(after, rules, rest);
    const versions = ({ reads }: typeof after) =>
      reads.map((one) => new Set(one.reads.flatMap(({ body }) => body.version ?? [])));
    for (const [i, [version = ""]] of versions(after)
      .map((of) => [...of])
      .entries()) {
      const [known = ""] = versions(before)[i] ?? [];
      expect([version, isNewer(version, known)]).toEqual([version, true]);
      expect(versions(after)[i]?.size).toBe(1);
    }

    await stores.lose(game);
    expect(bodiesOf(await readFrom("postgres", game, rules))).toEqual(bodiesOf(after));
  });
});

describe("a cursor of a board that the game defined", () => {
  it("goes on where it was, wherever the next page is read", async () => {
    const rules = { most: {}, latest: { aggregation: "last" } } satisfies Record<string, Rule>;
    const [game, brought] = [await gameOf(rules), results()];
    await play(game, brought);
    await readFrom("redis", game, rules);
    const cursors = await Promise.all(
      Object.keys(rules).map(async (board) => (await read(game, `${board}/top?n=4`)).body.next),
    );
    await stores.lose(game);
    for (const [i, [board, rule]] of Object.entries(rules).entries()) {
      const page = await read(game, `${board}/top?n=100&cursor=${cursors[i] ?? ""}`);
      expect(page.source).toBe("postgres");
      expect(page.body.entries?.map(({ player }) => player)).toEqual(
        ranked(rule, brought, false)
          .slice(4)
          .map(({ player }) => player),
      );
    }
  });

  it("is refused when it is none of this board's", async () => {
    const game = await gameOf({ most: {}, "most-by-id": { tie: "id" } });
    const [startMs, cursorOf] = [
      Date.parse(EVERY.anchor),
      (parts: unknown) => Buffer.from(JSON.stringify(parts)).toString("base64url"),
    ];
    const tooStrong = [2 ** 33, startMs, "p"];
    const broken = ["abc", cursorOf([1, startMs]), cursorOf(tooStrong), cursorOf([1, startMs - 1, "p"])];
    broken.push(cursorOf([1, startMs + 2 ** 30, "p"]), cursorOf([1.5, startMs, "p"]), cursorOf([-1, startMs, "p"]));
    for (const cursor of broken)
      problemOf(await call(`/v1/games/${game}/boards/most/top?cursor=${cursor}`, { key: null }), "invalid");
    const timed = cursorOf([1, startMs + 1, "p"]);
    expect((await read(game, `most/top?cursor=${timed}`)).body.entries).toEqual([]);
    problemOf(await call(`/v1/games/${game}/boards/most-by-id/top?cursor=${timed}`, { key: null }), "invalid");
  });
});
