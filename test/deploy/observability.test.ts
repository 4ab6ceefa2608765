import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { createTimings } from "../../functions/services/timings.ts";
import { call, freshGame } from "../harness/api.ts";
import { stack } from "../harness/stack.ts";
import { until } from "../harness/until.ts";

const Line = z.looseObject({
  level: z.enum(["info", "warn", "error"]),
  event: z.string(),
  requestId: z.string().optional(),
});
type Line = z.infer<typeof Line>;

const logText = () => readFileSync(path.join(stack().dataDir, "logs", "worker.log"), "utf8");

const lines = (): Line[] =>
  logText()
    .split("\n")
    .flatMap((line) => (line.startsWith('{"level"') ? [Line.parse(JSON.parse(line))] : []));

const lineOf = (requestId: string, event: string, name?: string) =>
  until(`the ${event} line of ${requestId}`, () =>
    lines().find(
      (line) => line.requestId === requestId && line.event === event && (name === undefined || line["name"] === name),
    ),
  );

describe("a submission", () => {
  test("leaves one request line with ids, outcome and the time of each step, and nothing of the player", async () => {
    const game = await freshGame();
    const player = "somebody-whose-name-must-not-be-logged";
    const { headers, body } = await call(`/v1/games/${game}/scores`, { body: { player, points: 7 } });
    const requestId = headers.get("x-request-id") ?? "";
    const line = await lineOf(requestId, "request");
    expect(line).toMatchObject({ level: "info", method: "POST", route: "/v1/games/:game/scores", game, status: 201 });
    expect(line).toMatchObject({ submissionId: z.looseObject({ submissionId: z.string() }).parse(body).submissionId });
    const Steps = z.object({
      ms: z.number(),
      postgresMs: z.number(),
      postgresCalls: z.int().min(1),
      redisMs: z.number(),
    });
    Steps.parse(line);
    expect(lines().filter((other) => other.requestId === requestId && other.event === "request")).toHaveLength(1);
    expect(logText()).not.toContain(player);
    expect(logText()).not.toContain(stack().serverKey);
  });

  test("says in Server-Timing where its time went", async () => {
    const game = await freshGame();
    const { headers } = await call(`/v1/games/${game}/scores`, { body: { player: "ada", points: 7 } });
    expect(headers.get("server-timing")).toMatch(/^postgres;dur=[\d.]+, redis;dur=[\d.]+, total;dur=[\d.]+$/);
    expect(headers.get("timing-allow-origin")).toBe("*");
  });

  test("has its push to the room logged as background work of the same request", async () => {
    const game = await freshGame();
    const { headers } = await call(`/v1/games/${game}/scores`, { body: { player: "ada", points: 7 } });
    const line = await lineOf(headers.get("x-request-id") ?? "", "background", "push-top");
    expect(line).toMatchObject({ outcome: "done" });
  });
});

test("a refused request is logged with the problem's code", async () => {
  const { headers } = await call("/v1/games/no-such-game-here/feed", { key: null });
  const line = await lineOf(headers.get("x-request-id") ?? "", "request");
  expect(line).toMatchObject({ level: "info", status: 404, outcome: "unknown-game" });
});

test("/readyz tells the releases of the library and how far behind the background is", async () => {
  const { status, body } = await call("/readyz", { key: null });
  expect(status).toBe(200);
  const Ready = z.object({
    status: z.literal("ok"),
    dependencies: z.object({ postgres: z.literal("ok"), redis: z.literal("ok") }),
    library: z.object({ worker: z.int().min(1), redis: z.int().min(1) }),
    stream: z.looseObject({ busyGames: z.int(), unread: z.int(), pending: z.int() }),
  });
  const { library } = Ready.parse(body);
  expect(library.redis).toBe(library.worker);
});

describe("/metrics", () => {
  test("is for those who have the key", async () => {
    expect((await call("/metrics", { key: null })).status).toBe(401);
    expect((await call("/metrics", { key: "somebody-elses-key" })).status).toBe(401);
  });

  test("is Prometheus text: each gauge with help and type, and samples that are numbers", async () => {
    const game = await freshGame();
    await call(`/v1/games/${game}/scores`, { body: { player: "ada", points: 7 } });
    const { status, headers, body } = await call("/metrics");
    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
    const text = z.string().parse(body);
    const known = new Set<string>();
    for (const line of text.trimEnd().split("\n")) {
      const type = /^# TYPE (\S+) gauge$/.exec(line)?.[1];
      if (type !== undefined) known.add(type);
      if (line.startsWith("#")) continue;
      const sample = /^(\w+)(\{\w+="\w+"\})? -?\d+(\.\d+)?$/.exec(line);
      expect(sample, line).not.toBeNull();
      expect(known.has(sample?.[1] ?? ""), line).toBe(true);
    }
    expect(text).toContain('edgeboard_up{dependency="redis"} 1');
    expect(text).toContain('edgeboard_up{dependency="postgres"} 1');
    expect(text).toMatch(/^edgeboard_busy_games [1-9]/m);
    expect(text).toMatch(/^edgeboard_unverified_games \d+$/m);
  });

  test("names no game and no player", async () => {
    const game = await freshGame();
    await call(`/v1/games/${game}/scores`, { body: { player: "ada", points: 7 } });
    expect((await call("/metrics")).body).not.toContain(game);
  });
});

describe("timings", () => {
  test("add up the calls of a step, failed ones too, and start anew with each lap", async () => {
    let now = 0;
    const timings = createTimings(() => now);
    const client = timings.timed("redis", {
      take: async (ms: number) => void (now += ms),
      fail: async () => {
        now += 5;
        throw new Error("out");
      },
    });
    await client.take(10);
    await client.take(2.25);
    await expect(client.fail()).rejects.toThrow("out");
    expect(timings.lap()).toEqual({ redisMs: 17.3, redisCalls: 3 });
    expect(timings.lap()).toEqual({});
  });
});
