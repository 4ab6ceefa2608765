/**
 * Refuses a body that is not UTF-8: read as text, its bad bytes would all become U+FFFD, and players whose ids differ in
 * them one player. What was read stays in Hono's cache, from which handlers get the text and signatures the bytes.
 */
import { createMiddleware } from "hono/factory";
import { DomainError } from "../../domain/errors.ts";
import type { HonoEnv } from "../context.ts";

const UTF8 = new TextDecoder("utf-8", { fatal: true });

export const utf8Body = createMiddleware<HonoEnv>(async (c, next) => {
  const bytes = await c.req.arrayBuffer();
  try {
    UTF8.decode(bytes);
  } catch {
    throw new DomainError("unreadable", "The request body is not valid UTF-8.");
  }
  await next();
});
