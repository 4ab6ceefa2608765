import { describe, expect, it } from "vitest";
import { call, freshGame } from "../harness/api.ts";
import { newGame, problemOf } from "../harness/game.ts";
import { stack } from "../harness/stack.ts";

const ORIGIN = "https://game.example";

function preflight(path: string, method: string) {
  return call(path, {
    method: "OPTIONS",
    key: null,
    headers: {
      origin: ORIGIN,
      "access-control-request-method": method,
      "access-control-request-headers": "authorization,content-type,idempotency-key,edgeboard-signature",
    },
  });
}

describe("other origins", () => {
  it("pass a preflight before any credentials are asked for, also to what does not exist", async () => {
    const game = await freshGame();
    for (const [path, method] of [
      [`/v1/games/${game}/scores`, "POST"],
      [`/v1/games/${game}/players/ada`, "DELETE"],
      ["/v1/games/no-such-game/held", "GET"],
      ["/nothing/here", "PUT"],
    ] as const) {
      const { status, headers } = await preflight(path, method);
      expect(status, path).toBe(204);
      expect(headers.get("access-control-allow-origin")).toBe("*");
      expect(headers.get("access-control-allow-methods")?.split(",")).toContain(method);
      expect(headers.get("access-control-allow-headers")?.toLowerCase()).toContain("edgeboard-signature");
      expect(headers.get("access-control-allow-credentials")).toBeNull();
    }
  });

  it("may send any header that they ask for, each with the answer that names it", async () => {
    const game = await newGame();
    for (const asked of ["baggage", "sentry-trace,traceparent", "authorization,x-requested-with,newrelic", "accept"]) {
      const { status, headers } = await call(`${game.base}/scores`, {
        method: "OPTIONS",
        key: null,
        headers: { origin: ORIGIN, "access-control-request-method": "POST", "access-control-request-headers": asked },
      });
      expect(status, asked).toBe(204);
      expect(headers.get("access-control-allow-headers")?.split(","), asked).toEqual(asked.split(","));
      expect(headers.get("vary"), asked).toContain("Access-Control-Request-Headers");
    }
  });

  it("may read answers and refusals", async () => {
    const game = await freshGame();
    for (const [path, options] of [
      [`/v1/games/${game}/feed`, {}],
      [`/v1/games/${game}/held`, { key: null }],
      ["/v1/games/no-such-game/feed", {}],
      [`/v1/games/${game}/boards/current/top?n=x`, {}],
      [`/v1/games/${game}/feed`, { method: "DELETE" }],
      ["/nothing", {}],
    ] as const) {
      const { headers } = await call(path, { ...options, headers: { origin: ORIGIN } });
      expect(headers.get("access-control-allow-origin"), path).toBe("*");
      expect(headers.get("access-control-expose-headers")?.toLowerCase(), path).toContain("retry-after");
      // The same answer for every origin.
      expect(headers.get("vary"), path).toBeNull();
    }
  });
});

describe("headers", () => {
  it("let no answer be sniffed, framed or run", async () => {
    for (const path of ["/healthz", "/openapi.json", "/nothing"]) {
      const { headers } = await call(path, { key: null });
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("content-security-policy")).toContain("default-src 'none'");
      expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
      expect(headers.get("strict-transport-security")).toContain("max-age=");
    }
  });

  it("give the page a policy without inline code", async () => {
    const { headers } = await call("/", { key: null });
    const policy = headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).not.toContain("unsafe");
  });
});

describe("what the service says of itself", () => {
  it("holds no secret, in the document or in refusals", async () => {
    const { serverKey, pushSecret, playerTokenSecret, upstashToken, databaseUrl } = stack();
    const secrets = [serverKey, pushSecret, playerTokenSecret, upstashToken, databaseUrl];
    const game = await newGame();
    const answers = [
      await call("/openapi.json", { key: null }),
      await call("/readyz", { key: null }),
      await game.post({ player: "ada", points: -1 }),
      await game.post({ player: "\u0000", points: 1 }),
      await call(`${game.base}/held`, { key: `${serverKey}x` }),
    ];
    for (const { body } of answers) {
      for (const secret of secrets) expect(JSON.stringify(body)).not.toContain(secret);
    }
  });

  it("takes a body of a megabyte and no more", async () => {
    const game = await newGame();
    const body = (bytes: number) => `{"submissions":[],"x":"${"a".repeat(bytes)}"}`;
    problemOf(await call(`${game.base}/scores/batch`, { rawBody: body(1024 * 1024) }), "too-large");
    problemOf(await call(`${game.base}/scores/batch`, { rawBody: body(1024) }), "invalid");
  });
});
