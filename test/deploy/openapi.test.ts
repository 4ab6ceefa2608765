import { expect, test } from "vitest";
import { z } from "zod";
import { createApp } from "../../functions/app.ts";
import {
  AroundResponse,
  PlayersCountResponse,
  StandingResponse,
  TopResponse,
} from "../../functions/contract/boards.ts";
import { BoardDefinition } from "../../functions/contract/board-definitions.ts";
import { BoardResponse, BoardsResponse, PeriodsResponse } from "../../functions/contract/defined-boards.ts";
import { FeedResponse } from "../../functions/contract/feed.ts";
import { GameRequest, GameResponse } from "../../functions/contract/games.ts";
import { LiveResponse } from "../../functions/contract/live.ts";
import { BanNoted, HeldResponse, PlayerExport, SigningKeyResponse } from "../../functions/contract/moderation.ts";
import { BadgesResponse } from "../../functions/contract/players.ts";
import { Problem, PROBLEMS } from "../../functions/contract/problem.ts";
import { BatchRequest, BatchResponse, ScoreRequest, ScoreResponse } from "../../functions/contract/scores.ts";
import { createDeps } from "../../functions/deps.ts";
import { parseEnv } from "../../functions/env.ts";
import { EXAMPLES } from "../../functions/http/openapi-examples.ts";
import { libraryText } from "../../lua/library.ts";
import { SHAPES } from "../fuzz/cases.ts";
import { DUMMY_VALUES } from "./dummy-values.ts";

/** The Worker without a platform around it: nothing here reaches a store. */
const app = createApp(
  (_bindings, background) =>
    createDeps(parseEnv({ ...DUMMY_VALUES, REDIS_TARGET: "upstash" }), libraryText(), background),
  () => ({ run: () => undefined, keep: () => undefined }),
);

const Media = z.looseObject({
  schema: z.unknown(),
  example: z.unknown().optional(),
  examples: z.record(z.string(), z.object({ value: Problem })).optional(),
});
const Operation = z.looseObject({
  operationId: z.string(),
  summary: z.string().min(10),
  tags: z.array(z.string()).length(1, "must be in one of the chapters of functions/http/openapi.ts"),
  security: z.array(z.record(z.string(), z.array(z.string()))).default([]),
  parameters: z.array(z.looseObject({ name: z.string(), in: z.string(), schema: z.unknown() })).default([]),
  requestBody: z.looseObject({ required: z.literal(true), content: z.record(z.string(), Media) }).optional(),
  responses: z.record(
    z.string(),
    z.looseObject({ description: z.string().min(3), content: z.record(z.string(), Media).optional() }),
  ),
});
const Document = z.looseObject({
  openapi: z.literal("3.1.0"),
  info: z.looseObject({ title: z.string(), version: z.string(), description: z.string().min(100) }),
  tags: z.array(z.object({ name: z.string(), description: z.string() })),
  components: z.looseObject({
    schemas: z.record(z.string(), z.unknown()),
    securitySchemes: z.record(z.string(), z.looseObject({ description: z.string().min(10) })),
  }),
  paths: z.record(z.string(), z.record(z.string(), Operation)),
});

const raw: unknown = await (await app.request("/openapi.json")).json();
const document = Document.parse(raw);
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, ...operation })),
);

/** Every value under `key`, wherever it is. */
function everything(value: unknown, key: string): unknown[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, child]) => [
    ...(name === key ? [child] : []),
    ...everything(child, key),
  ]);
}

test("the document describes every route there is, and no other", () => {
  const NOT_OF_THE_API = ["GET /openapi.json"];
  const routes = app.routes.filter(({ method }) => method !== "ALL").map(({ method, path }) => `${method} ${path}`);
  const served = new Set(routes.map((route) => route.replaceAll(/:(\w+)(\{[^}]*\})?/g, "{$1}")));
  const described = operations.map(({ method, path }) => `${method.toUpperCase()} ${path}`);
  expect([...served].filter((route) => !NOT_OF_THE_API.includes(route)).sort()).toEqual(described.sort());
});

test("operation ids are unique, and every tag and security scheme is declared", () => {
  const ids = operations.map(({ operationId }) => operationId);
  expect(new Set(ids).size).toBe(ids.length);
  const tags = document.tags.map(({ name }) => name);
  expect(operations.filter((o) => !o.tags.every((tag) => tags.includes(tag))).map((o) => o.operationId)).toEqual([]);
  const used = operations.flatMap(({ security }) => security.flatMap((scheme) => Object.keys(scheme)));
  expect(used.filter((name) => !(name in document.components.securitySchemes))).toEqual([]);
});

test("every $ref points at something", () => {
  const missing = everything(raw, "$ref").filter((ref) => {
    const name = /^#\/components\/schemas\/(.+)$/.exec(String(ref))?.[1];
    return name === undefined || !(name in document.components.schemas);
  });
  expect(missing).toEqual([]);
});

test("the fuzz lane sends strange requests to every route of a game", () => {
  const shapes = SHAPES.map(({ method, path }) =>
    [method, ...path.map((part) => (part.startsWith(":") ? "*" : part))].join(" "),
  );
  const ofGames = operations.flatMap(({ path, method }) => {
    const parts = /^\/v1\/games\/(.*)/.exec(path)?.[1]?.split("/");
    return parts ? [[method.toUpperCase(), ...parts.map((part) => (part.startsWith("{") ? "*" : part))].join(" ")] : [];
  });
  expect(ofGames.filter((route) => !shapes.includes(route))).toEqual([]);
});

test("every path parameter is declared, and every parameter has a schema", () => {
  for (const { operationId, path, parameters } of operations) {
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
    const declared = parameters.filter((parameter) => parameter.in === "path").map(({ name }) => name);
    expect(declared.sort(), operationId).toEqual(inPath.sort());
    expect(
      parameters.every(({ schema }) => schema !== undefined),
      operationId,
    ).toBe(true);
  }
});

test("every operation has an answer that is no error, and shows each kind of problem it may answer", () => {
  for (const { operationId, responses } of operations) {
    const statuses = Object.keys(responses);
    expect(
      statuses.some((status) => status.startsWith("2")),
      operationId,
    ).toBe(true);
    for (const [status, { content }] of Object.entries(responses)) {
      const problem = content?.["application/problem+json"];
      if (!problem) continue;
      const shown = Object.values(problem.examples ?? {}).map(({ value }) => value.status);
      expect(shown.length, `${operationId} ${status}`).toBeGreaterThan(0);
      expect(new Set(shown), `${operationId} ${status}`).toEqual(new Set([Number(status)]));
    }
  }
});

test("protected operations say 401 and 403; all others are public", () => {
  for (const { operationId, security, responses } of operations) {
    expect("401" in responses, operationId).toBe(security.length > 0);
    if (security.length > 0 && operationId !== "metrics") expect("403" in responses, operationId).toBe(true);
  }
});

test("every JSON body, of requests and of answers that are no problem, has an example", () => {
  const without = operations.flatMap(({ operationId, requestBody, responses }) => {
    const bodies: (readonly [string, z.infer<typeof Media> | undefined])[] = [
      ["request", requestBody?.content["application/json"]],
      ...Object.entries(responses).map(([status, { content }]) => [status, content?.["application/json"]] as const),
    ];
    return bodies.flatMap(([what, body]) => (body && body.example === undefined ? [`${operationId} ${what}`] : []));
  });
  expect(without).toEqual([]);
});

test("examples are what the contract takes and gives", () => {
  const schemas: Record<string, { request?: z.ZodType; response: z.ZodType }> = {
    submitScore: { request: ScoreRequest, response: ScoreResponse },
    submitBatch: { request: BatchRequest, response: BatchResponse },
    top: { response: TopResponse },
    standing: { response: StandingResponse },
    around: { response: AroundResponse },
    playersCount: { response: PlayersCountResponse },
    listBoards: { response: BoardsResponse },
    getBoard: { response: BoardResponse },
    putBoard: { request: BoardDefinition, response: BoardResponse },
    listPeriods: { response: PeriodsResponse },
    feed: { response: FeedResponse },
    live: { response: LiveResponse },
    badges: { response: BadgesResponse },
    getGame: { response: GameResponse },
    putGame: { request: GameRequest, response: GameResponse },
    banPlayer: { response: BanNoted },
    listHeld: { response: HeldResponse },
    exportPlayer: { response: PlayerExport },
    nextSigningKey: { response: SigningKeyResponse },
  };
  for (const [operationId, { request, response }] of Object.entries(schemas)) {
    const examples = EXAMPLES[operationId];
    if (request) request.parse(examples?.request);
    for (const example of Object.values(examples?.responses ?? {})) response.parse(example);
  }
  expect(Object.keys(EXAMPLES).filter((id) => !(id in schemas))).toEqual(["healthz", "readyz"]);
});

test("every problem code is documented by its type somewhere, so that clients can branch on it", () => {
  const types = new Set(everything(raw, "type"));
  const notForRoutes = ["not-found", "method-not-allowed", "conflict", "misconfigured"];
  const undocumented = Object.keys(PROBLEMS).filter((code) => !types.has(`https://edgeboard.dev/problems/${code}`));
  expect(undocumented.filter((code) => !notForRoutes.includes(code))).toEqual([]);
});
