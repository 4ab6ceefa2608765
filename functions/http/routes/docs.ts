/** GET /openapi.json, and /docs, the same document for people. */
import type { App } from "../app-type.ts";
import { renderDocs } from "../docs/page.ts";
import { noQuery } from "../invalid.ts";
import { openApiDocument, type OpenApiDocument } from "../openapi.ts";

/** Pages and the document change with a deployment only. */
const CACHE = "public, max-age=300";

export function registerDocs(app: App): void {
  app.openAPIRegistry.registerComponent("securitySchemes", "metricsToken", {
    type: "http",
    scheme: "bearer",
    description: "METRICS_TOKEN of the deployment; reads /metrics and nothing else.",
  });
  let document: OpenApiDocument | undefined;
  const documentOnce = () => (document ??= openApiDocument(app));

  app.get("/openapi.json", noQuery, (c) => c.json(documentOnce(), 200, { "cache-control": CACHE }));

  app.get("/docs", noQuery, async (c) => {
    const nonce = crypto.randomUUID();
    const page = await renderDocs(documentOnce(), new URL(c.req.url).origin, nonce);
    // No script at all, and no style but the page's own.
    c.header(
      "Content-Security-Policy",
      `default-src 'none'; style-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    );
    return c.html(page);
  });
}
