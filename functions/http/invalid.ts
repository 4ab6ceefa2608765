/** What is answered to a request that its route's schemas refuse. */
import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import type { z } from "zod";
import { DomainError } from "../domain/errors.ts";
import type { HonoEnv } from "./context.ts";
import { fieldErrors } from "./problem.ts";

type Result =
  | { readonly success: true }
  | { readonly success: false; readonly target: string; readonly error: z.core.$ZodError };

const isCreation = ({ method, path }: { method: string; path: string }) =>
  method === "PUT" && /^\/v1\/games\/[^/]*$/.test(path);

const invalid = (errors: ReturnType<typeof fieldErrors>) =>
  new DomainError("invalid", "The request is not valid; see errors.", { errors });

/** For Hono's `defaultHook`. Throws DomainError `invalid`, or `unknown-game` for a name that no game can have. */
export function refuseInvalid(result: Result, c: Context<HonoEnv>): void {
  if (result.success) return;
  const { target, error } = result;
  // No game has such a name, so it is as unknown as any other; only its creation can say what is wrong with it.
  if (target === "param" && c.req.param("game") !== undefined && !isCreation(c.req)) {
    const wrong = error.issues.some(({ path }) => path[0] === "game");
    if (wrong) throw new DomainError("unknown-game", "There is no game with such an id.");
  }
  if (target !== "query") throw invalid(fieldErrors(error.issues, target === "json"));
  const sent = c.req.queries();
  const twice = Object.keys(sent).filter((name) => (sent[name]?.length ?? 0) > 1);
  const others = fieldErrors(error.issues, false).filter(({ pointer }) => !twice.includes(pointer));
  throw invalid([...twice.map((pointer) => ({ pointer, detail: "must not be sent more than once" })), ...others]);
}

/** For routes outside the document: no query at all. */
export const noQuery = createMiddleware<HonoEnv>(async (c, next) => {
  const names = Object.keys(c.req.queries());
  if (names.length > 0)
    throw invalid(fieldErrors([{ code: "unrecognized_keys", keys: names, path: [], message: "" }], false));
  await next();
});
