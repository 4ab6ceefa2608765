/** Why Postgres did not take a submission, as the client is told. */
import { DomainError } from "../../domain/errors.ts";
import { badSignature } from "../access/signing.ts";
import type { RecordOutcome } from "./ports.ts";

type Refusal = Exclude<RecordOutcome, { outcome: "recorded" | "values-recorded" | "held" }>;

export function toDomainError(refusal: Refusal): DomainError {
  switch (refusal.outcome) {
    case "conflict":
      return new DomainError(
        "idempotency-conflict",
        "This idempotency key was used for a different submission; use a new key.",
      );
    case "too-many-points":
      return new DomainError("invalid", "The points are above this game's maximum.", {
        errors: [{ pointer: "/points", detail: "must not be above the game's maxPoints" }],
      });
    case "banned":
      return new DomainError("player-banned", "This player may not submit scores.");
    case "deleted":
      return new DomainError("player-deleted", "This player was deleted less than a day ago.");
    case "removed":
      return new DomainError("submission-removed", "A moderator took this submission back.");
    case "unsigned":
      return badSignature("This game wants submissions to be signed with its current secret.");
    case "limited":
      return new DomainError("rate-limited", "This player has submitted too often.", {
        retryAfterSeconds: refusal.retryAfterSeconds,
      });
  }
}
