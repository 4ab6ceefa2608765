/** Requires valid credentials: `Authorization: Bearer <server key>`. */
import { createMiddleware } from "hono/factory";
import { DomainError } from "../../domain/errors.ts";
import type { HonoEnv } from "../context.ts";

const BEARER = /^Bearer ([\x21-\x7e]{1,4096})$/i;

export const authenticated = createMiddleware<HonoEnv>(async (c, next) => {
  const token = BEARER.exec(c.req.header("authorization") ?? "")?.[1];
  const caller = token === undefined ? undefined : await c.get("deps").authenticate(token);
  if (!caller) {
    throw new DomainError("unauthorized", "Send a valid server key: `Authorization: Bearer <key>`.");
  }
  c.set("caller", caller);
  await next();
});
