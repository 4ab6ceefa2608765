/** Refuses a path that is not UTF-8: what cannot be decoded would be taken for the text as it stands, and name another player. */
import { createMiddleware } from "hono/factory";
import { DomainError } from "../../domain/errors.ts";
import type { HonoEnv } from "../context.ts";

export const utf8Path = createMiddleware<HonoEnv>(async (c, next) => {
  const { url } = c.req;
  if (url.includes("%")) {
    try {
      decodeURIComponent(new URL(url).pathname);
    } catch {
      throw new DomainError("unreadable", "The path is not UTF-8 in percent-encoding.");
    }
  }
  await next();
});
