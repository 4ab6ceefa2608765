import { describe, expect, it } from "vitest";
import { call, freshGameId } from "../harness/api.ts";
import { newGame, problemOf } from "../harness/game.ts";

describe("every error is a problem", () => {
  it("404 for a path that no route has", async () => {
    const game = await newGame();
    for (const path of [
      "/nope",
      "/v1",
      "/v1/games",
      `${game.base}/nope`,
      `${game.base}/boards/current/nope`,
      "/%00",
      "/%",
      "/v1/games//feed",
    ]) {
      problemOf(await call(path), "not-found");
    }
  });

  it("405 for a method that a path does not take, with Allow", async () => {
    const game = await newGame();
    const cases: [method: string, path: string, allow: string[]][] = [
      ["GET", `${game.base}/scores`, ["POST"]],
      ["PUT", `${game.base}/scores`, ["POST"]],
      ["DELETE", `${game.base}/scores/batch`, ["POST"]],
      ["POST", `${game.base}/boards/current/top`, ["GET"]],
      ["DELETE", `${game.base}/feed`, ["GET"]],
      ["POST", "/healthz", ["GET"]],
    ];
    for (const [method, path, allow] of cases) {
      const answer = await call(path, { method });
      problemOf(answer, "method-not-allowed");
      const allowed = (answer.headers.get("allow") ?? "").split(/,\s*/);
      expect(allowed, path).toEqual(expect.arrayContaining(allow));
      expect(allowed, path).not.toContain(method);
    }
  });

  it("each with a request id of its own", async () => {
    const ids = new Set<string>();
    for (let i = 0; i < 5; i++) ids.add(problemOf(await call("/nope"), "not-found").requestId);
    expect(ids.size).toBe(5);
  });

  it("with the request id that the answer's header has", async () => {
    const answer = await call("/nope");
    expect(problemOf(answer, "not-found").requestId).toBe(answer.headers.get("x-request-id"));
  });

  it("also when the request fails in several ways: the path decides first", async () => {
    problemOf(await call("/v1/games/UPPER/nope", { rawBody: "{" }), "not-found");
    problemOf(await call(`/v1/games/${freshGameId()}/feed`, { method: "POST", rawBody: "{" }), "method-not-allowed");
  });
});

describe("CORS", () => {
  it("lets a browser of any origin read", async () => {
    const game = await newGame();
    const answer = await call(`${game.base}/feed`, { key: null, headers: { origin: "https://game.example" } });
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
    const preflight = await call(`${game.base}/scores`, {
      method: "OPTIONS",
      key: null,
      headers: {
        origin: "https://game.example",
        "access-control-request-method": "POST",
        "access-control-request-headers": "authorization,content-type,idempotency-key",
      },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get("access-control-allow-headers")?.toLowerCase()).toContain("idempotency-key");
  });
});
