/** Signed submissions: who signed what, when, and with which secret (docs/signing.md). */
import { DomainError } from "../../domain/errors.ts";
import type { ModerationPorts } from "../moderation/ports.ts";
import type { Runtime } from "../runtime.ts";
import type { AccessPorts, SignedRequest } from "./ports.ts";

const WINDOW_MS = 120_000;

export function badSignature(detail: string): DomainError {
  return new DomainError("bad-signature", detail);
}

/** Number of the secret that a request is signed with. Throws DomainError `bad-signature`. */
export async function checkSignature(
  deps: Pick<AccessPorts, "signatures"> & Pick<Runtime, "clock">,
  request: SignedRequest,
): Promise<number> {
  if (!(Math.abs(Number(request.timestamp) - deps.clock.now()) <= WINDOW_MS)) {
    throw badSignature("The signature's time is more than 120 s away from ours.");
  }
  if (!deps.signatures || !(await deps.signatures.verify(request))) {
    throw badSignature("The signature does not match the request.");
  }
  return request.key;
}

/** Starts the next secret of a game; the one before it is good for a day more. */
export async function nextSigningKey(
  deps: Pick<AccessPorts, "signatures"> & Pick<ModerationPorts, "moderation">,
  game: string,
  by: string,
): Promise<{ key: number; secret: string }> {
  if (!deps.signatures) throw new DomainError("conflict", "This service has no secret to derive signing secrets from.");
  const key = await deps.moderation.nextSigningKey(game, by);
  if (key === undefined) throw new DomainError("unknown-game", `There is no game "${game}".`);
  return { key, secret: await deps.signatures.secret(game, key) };
}
