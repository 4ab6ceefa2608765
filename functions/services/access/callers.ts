/** Who calls, and what they may do. */
import { DomainError } from "../../domain/errors.ts";

export type Scope = "submit" | "backdate" | "admin";

export type Caller = {
  readonly kind: "server-key" | "player";
  /** Of a server key; a player has none and may only submit for themselves. */
  readonly scopes: ReadonlySet<Scope>;
  /** The games that the credentials are for; undefined = every game. */
  readonly games: ReadonlySet<string> | undefined;
  /** For the log and the audit log: a key's public prefix, or `env`; for players only `player`. */
  readonly name: string;
  /** Of a player token: the only player it may submit for. */
  readonly player: string | undefined;
};

/** Who is behind credentials, or in a sentence why nobody is. */
export type Authenticated = { readonly caller: Caller } | { readonly refusal: string };

/** Throws DomainError `forbidden` when the caller lacks the scope. */
export function requireScope(caller: Caller, scope: Scope): void {
  if (!caller.scopes.has(scope))
    throw new DomainError("forbidden", `This needs a server key with the scope "${scope}".`);
}

/** Throws DomainError `forbidden` when the credentials are for other games only. */
export function requireGame(caller: Caller, game: string): void {
  if (!caller.games || caller.games.has(game)) return;
  const isPlayer = caller.kind === "player";
  throw new DomainError(
    "forbidden",
    isPlayer ? "The player token is for another game: see its `aud`." : "The server key belongs to another game.",
  );
}

/** Throws DomainError `forbidden` when a player's token would submit for another player. */
export function requirePlayer(caller: Caller, player: string): void {
  if (caller.kind === "player" && caller.player !== player)
    throw new DomainError("forbidden", "A player token submits for its own player only.");
}
