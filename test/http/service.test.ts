import { describe, expect, it } from "vitest";
import { z } from "zod";
import { LiveResponse } from "../../functions/contract/live.ts";
import { weekEnd, weekOf } from "../../functions/domain/board/week.ts";
import { call, freshGameId } from "../harness/api.ts";
import { newGame, problemOf } from "../harness/game.ts";
import { stack } from "../harness/stack.ts";

describe("GET /live", () => {
  it("says where the current week's room is and when it ends", async () => {
    const game = await newGame();
    const { status, body } = await call(`${game.base}/live`, { key: null });
    expect(status).toBe(200);
    const live = LiveResponse.parse(body);
    const week = weekOf(Date.now());
    expect(live).toMatchObject({ week, resetsAt: new Date(weekEnd(week)).toISOString() });
    expect(live.room).toMatch(new RegExp(`^${game.id}_${week}(_s\\d+)?$`));
    expect(live.url).toBe(`${stack().party.replace(/^http/, "ws")}/parties/main/${live.room}`);
  });

  it("of an unknown game is a 404", async () => {
    problemOf(await call(`/v1/games/${freshGameId()}/live`), "unknown-game");
  });
});

describe("health", () => {
  it("is ok when the process answers", async () => {
    expect(await call("/healthz", { key: null })).toMatchObject({ status: 200, body: { status: "ok" } });
  });

  it("is ready when both stores answer", async () => {
    expect(await call("/readyz", { key: null })).toMatchObject({
      status: 200,
      body: { status: "ok", dependencies: { postgres: "ok", redis: "ok" } },
    });
  });
});

const Document = z.object({
  openapi: z.string(),
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.object({ operationId: z.string(), summary: z.string(), responses: z.record(z.string(), z.unknown()) }),
    ),
  ),
});

describe("/openapi.json", () => {
  const routes: [string, string][] = [
    ["get", "/healthz"],
    ["get", "/readyz"],
    ["get", "/v1/games/{game}"],
    ["put", "/v1/games/{game}"],
    ["post", "/v1/games/{game}/scores"],
    ["post", "/v1/games/{game}/scores/batch"],
    ["get", "/v1/games/{game}/boards/{board}/top"],
    ["get", "/v1/games/{game}/boards/{board}/players/{player}"],
    ["get", "/v1/games/{game}/boards/{board}/around/{player}"],
    ["get", "/v1/games/{game}/boards/{board}/players-count"],
    ["get", "/v1/games/{game}/feed"],
    ["get", "/v1/games/{game}/live"],
    ["get", "/v1/games/{game}/players/{player}/badges"],
  ];

  it("is OpenAPI 3.1 and has every route, each with problems beside its answer", async () => {
    const { status, body } = await call("/openapi.json", { key: null });
    expect(status).toBe(200);
    const document = Document.parse(body);
    expect(document.openapi).toMatch(/^3\.1\./);
    for (const [method, path] of routes) expect(document.paths[path]?.[method], `${method} ${path}`).toBeDefined();
    const operations = Object.values(document.paths).flatMap((operation) => Object.values(operation));
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
    for (const [path, operation] of Object.entries(document.paths)) {
      for (const { responses } of Object.values(operation)) {
        if (path.startsWith("/v1/"))
          expect(Object.keys(responses), path).toEqual(expect.arrayContaining(["422", "500"]));
      }
    }
  });
});
