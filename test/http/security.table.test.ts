import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { call, freshGame } from "../harness/api.ts";
import { problemOf } from "../harness/game.ts";
import { openStores } from "../harness/stores.ts";
import { callersOf, type CallerName } from "./security-callers.ts";
import { KNOWN, MAY, routesOf, type Access } from "./security-routes.ts";

const Document = z.object({
  paths: z.record(
    z.string(),
    z.record(z.string(), z.object({ operationId: z.string(), security: z.array(z.unknown()).optional() })),
  ),
});

const { postgres } = openStores();
const PLAYER = "ada";
const AT_ONCE = 4;

/** `ok`, or the problem that refuses. */
function verdict(access: Access, caller: CallerName): "ok" | "unauthorized" | "forbidden" {
  if (access === "everybody" || MAY[access].includes(caller)) return "ok";
  // Metrics are no game's: nothing but their own token and the environment's key is anybody there.
  if (access === "operators") return "unauthorized";
  return KNOWN.includes(caller) ? "forbidden" : "unauthorized";
}

describe("every route and every kind of caller", () => {
  let game: string;
  let callers: Awaited<ReturnType<typeof callersOf>>;

  beforeAll(async () => {
    game = await freshGame();
    await call(`/v1/games/${game}/scores`, { body: { player: PLAYER, points: 100 } });
    callers = await callersOf(postgres, game, await freshGame(), PLAYER);
  });

  it("has every operation of the OpenAPI document in the table, and none besides", async () => {
    const { paths } = Document.parse((await call("/openapi.json", { key: null })).body);
    const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
    expect(operations.map(({ operationId }) => operationId).sort()).toEqual(Object.keys(routesOf(game, PLAYER)).sort());
  });

  it("says in the document which operations need credentials", async () => {
    const { paths } = Document.parse((await call("/openapi.json", { key: null })).body);
    const routes = routesOf(game, PLAYER);
    for (const { operationId, security } of Object.values(paths).flatMap((methods) => Object.values(methods))) {
      const open = routes[operationId]?.access === "everybody";
      expect(security === undefined, operationId).toBe(open);
    }
  });

  for (const [operation, { access }] of Object.entries(routesOf("any", PLAYER))) {
    it(`lets ${access}, and nobody else, ${operation}`, async () => {
      const route = routesOf(game, PLAYER)[operation];
      if (!route) throw new Error(`no route ${operation}`);
      const ask = async ([caller, key]: [string, string | null]) => {
        const answer = await call(route.path, { ...route.options, key });
        const expected = verdict(access, z.custom<CallerName>().parse(caller));
        const said = `${caller}: ${JSON.stringify(answer.body)}`;
        if (expected === "ok") expect(route.ok, said).toContain(answer.status);
        else {
          expect(answer.status, said).toBe(expected === "unauthorized" ? 401 : 403);
          problemOf(answer, expected);
        }
        expect(answer.headers.has("www-authenticate"), caller).toBe(answer.status === 401);
      };
      const waiting = Object.entries(callers);
      const worker = async () => {
        for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) await ask(next);
      };
      await Promise.all(Array.from({ length: AT_ONCE }, worker));
    });
  }
});
