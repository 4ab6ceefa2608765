/** The Hono app: middleware, routes, errors. */
import { OpenAPIHono, z } from "@hono/zod-openapi";
import { methodNotAllowed } from "hono/method-not-allowed";
import { requestId } from "hono/request-id";
import { DomainError } from "./domain/errors.ts";
import { inWords } from "./contract/words.ts";
import type { HonoEnv } from "./http/context.ts";
import { refuseInvalid } from "./http/invalid.ts";
import { limitAddresses } from "./http/middleware/edge-limit.ts";
import { contentPolicy, crossOrigin, dated, headers } from "./http/middleware/edges.ts";
import { utf8Path } from "./http/middleware/utf8-path.ts";
import { requestLog } from "./http/middleware/request-log.ts";
import { onError, problemResponse } from "./http/problem.ts";
import { registerBoards } from "./http/routes/boards.ts";
import { registerDefinitions } from "./http/routes/definitions.ts";
import { registerOpenApi } from "./http/routes/openapi.ts";
import { registerFeed } from "./http/routes/feed.ts";
import { registerGames } from "./http/routes/games.ts";
import { registerHealth } from "./http/routes/health.ts";
import { registerHeld } from "./http/routes/held.ts";
import { registerLive } from "./http/routes/live.ts";
import { registerMetrics } from "./http/routes/metrics.ts";
import { registerModeration } from "./http/routes/moderation.ts";
import { registerPlayers } from "./http/routes/players.ts";
import { registerSubmitBatch } from "./http/routes/submit-batch.ts";
import { registerSubmitScore } from "./http/routes/submit-score.ts";
import type { App } from "./http/app-type.ts";
import type { Background } from "./services/runtime.ts";
import type { Deps } from "./deps-type.ts";

export type DepsFactory = (bindings: HonoEnv["Bindings"], background: Background) => Deps;
export type BackgroundFactory = (waitUntil: (work: Promise<void>) => void, requestId: string) => Background;

/** Origins whose pages may call the API. */
export type OriginsOf = (bindings: HonoEnv["Bindings"]) => readonly string[];

/** Of zod as a whole: no answer repeats what a validator calls things. */
z.config({ customError: inWords });

export function createApp(
  createDeps: DepsFactory,
  createBackground: BackgroundFactory,
  originsOf: OriginsOf = () => ["*"],
): App {
  const app: App = new OpenAPIHono<HonoEnv>({
    defaultHook: refuseInvalid,
  });

  app.onError(onError);
  app.notFound((c) => problemResponse(c, new DomainError("not-found", "No route of this API has this path.")));
  app.use(requestId({ limitLength: 0, generator: () => crypto.randomUUID() }));
  app.use(requestLog);
  app.use(headers, dated, contentPolicy, crossOrigin(originsOf));
  app.use(
    methodNotAllowed({
      app,
      onMethodNotAllowed: (c, methods) => {
        const response = problemResponse(
          c,
          new DomainError("method-not-allowed", `This path takes ${methods.join(", ")}.`),
        );
        response.headers.set("allow", methods.join(", "));
        return response;
      },
    }),
  );
  app.use(async (c, next) => {
    c.set(
      "deps",
      createDeps(
        c.env,
        createBackground((work) => c.executionCtx.waitUntil(work), c.get("requestId")),
      ),
    );
    await next();
  });

  app.use("/v1/*", utf8Path);
  for (const asksAStore of ["/v1/*", "/readyz", "/metrics"]) app.use(asksAStore, limitAddresses);

  registerHealth(app);
  registerMetrics(app);
  registerGames(app);
  registerSubmitScore(app);
  registerSubmitBatch(app);
  registerDefinitions(app);
  registerBoards(app);
  registerFeed(app);
  registerPlayers(app);
  registerModeration(app);
  registerHeld(app);
  registerLive(app);

  app.openAPIRegistry.registerComponent("securitySchemes", "serverKey", {
    type: "http",
    scheme: "bearer",
    description: "A server key of the game, `eb_<prefix>_<secret>`, with the scope that the route needs.",
  });
  app.openAPIRegistry.registerComponent("securitySchemes", "playerToken", {
    type: "http",
    scheme: "bearer",
    bearerFormat: "JWT",
    description: "A player's token (docs/security.md): `sub` is the player, `aud` the game, `exp` is required.",
  });
  registerOpenApi(app);
  return app;
}
