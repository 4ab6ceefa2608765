/**
 * Scalar's API reference for a browser, as one script. Its own package `@scalar/api-reference` brings 284 packages that this
 * script has in it; the maker's plugin for Fastify brings the same script and 14 packages (docs/decisions/0016). A plugin is a
 * function that registers routes: here it is asked what it serves at its documented address.
 */
import plugin from "@scalar/fastify-api-reference";

const SCRIPT = "/docs/js/scalar.js";

/** The script's text. */
export function scalarScript() {
  const routes = [];
  const fastify = { initialConfig: {}, route: (route) => routes.push(route) };
  plugin(fastify, { routePrefix: "/docs", configuration: { url: "/openapi.json" } }, () => undefined);
  const reply = { header: () => reply, send: (body) => body };
  const script = routes.find(({ url }) => url === SCRIPT)?.handler(undefined, reply);
  if (typeof script !== "string") throw new TypeError(`@scalar/fastify-api-reference serves no script at ${SCRIPT}`);
  return script;
}
