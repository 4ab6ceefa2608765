/** Who calls, and what they may do. */
import { DomainError } from "../domain/errors.ts";

export type Scope = "submit" | "backdate" | "admin";

export type Caller = { readonly kind: "server-key"; readonly scopes: ReadonlySet<Scope> };

/** Throws DomainError `forbidden` when the caller lacks the scope. */
export function requireScope(caller: Caller, scope: Scope): void {
  if (!caller.scopes.has(scope))
    throw new DomainError("forbidden", `This needs a server key with the scope "${scope}".`);
}
