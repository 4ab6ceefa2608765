/** Who may say when points were earned. */
import { AHEAD_MS, BACK_MS } from "../../domain/board/time.ts";
import { DomainError } from "../../domain/errors.ts";
import { requireScope, type Caller } from "../access/callers.ts";

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
