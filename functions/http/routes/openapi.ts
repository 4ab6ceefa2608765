/** GET /openapi.json; the page at /docs (web/docs.html) shows it. */
import type { App } from "../app-type.ts";
import { noQuery } from "../invalid.ts";
import { openApiDocument, type OpenApiDocument } from "../openapi.ts";

/** The document changes with a deployment only. */
const CACHE = "public, max-age=300";

export function registerOpenApi(app: App): void {
  app.openAPIRegistry.registerComponent("securitySchemes", "metricsToken", {
    type: "http",
    scheme: "bearer",
    description: "METRICS_TOKEN of the deployment; reads /metrics and nothing else.",
  });
  let document: OpenApiDocument | undefined;
  app.get("/openapi.json", noQuery, (c) =>
    c.json((document ??= openApiDocument(app)), 200, { "cache-control": CACHE }),
  );
}
