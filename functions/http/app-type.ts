/** The type of our Hono app, for route files. */
import type { OpenAPIHono } from "@hono/zod-openapi";
import type { HonoEnv } from "./context.ts";

export type App = OpenAPIHono<HonoEnv>;
