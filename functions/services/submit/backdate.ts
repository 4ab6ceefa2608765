/** Who may say when points were earned. */
import { KEPT_AFTER_WEEK_MS } from "../../domain/board/week.ts";
import { DomainError } from "../../domain/errors.ts";
import { requireScope, type Caller } from "../access/callers.ts";

/** A week that may still be submitted to is one that Redis keeps. */
export const BACK_MS = KEPT_AFTER_WEEK_MS;
/** So a submission may be of the next week already. */
export const AHEAD_MS = 60_000;

/** Throws DomainError `forbidden` without the scope, `invalid` outside 35 days back to 60 s ahead. */
export function checkSubmittedAt(caller: Caller, submittedAt: string | undefined, nowMs: number): void {
  if (submittedAt === undefined) return;
  requireScope(caller, "backdate");
  const at = Date.parse(submittedAt);
  if (!(at >= nowMs - BACK_MS && at <= nowMs + AHEAD_MS)) {
    throw new DomainError("invalid", "The time is outside what may be submitted.", {
      errors: [{ pointer: "/submittedAt", detail: "must be at most 35 days back and at most 60 s ahead" }],
    });
  }
}
