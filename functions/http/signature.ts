/** Reads the headers of a signed submission (docs/signing.md). */
import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { IdempotencyKey } from "../contract/primitives.ts";
import { badSignature } from "../services/access/signing.ts";
import type { SignedRequest } from "../services/access/ports.ts";
import type { HonoEnv } from "./context.ts";

export const SignatureHeaders = z.object({
  "edgeboard-signature": z.string().optional().meta({
    description: "`<number of the secret>.<HMAC-SHA-256 in hex>`; docs/signing.md says of what.",
  }),
  "edgeboard-timestamp": z.string().optional().meta({ description: "Unix milliseconds; at most 120 s off." }),
  "edgeboard-nonce": IdempotencyKey.optional().meta({
    description: "Names the submission as an `Idempotency-Key` does; when both are sent they are the same.",
  }),
});

const SIGNATURE = /^([1-9]\d{0,8})\.([0-9a-f]{64})$/;
const TIMESTAMP = /^\d{13}$/;

/** The signed request; undefined when it carries no signature. Throws DomainError `bad-signature`. */
export async function signedRequest(
  c: Context<HonoEnv>,
  sent: z.infer<typeof SignatureHeaders>,
  game: string,
  player: string,
): Promise<SignedRequest | undefined> {
  const [signature, timestamp, nonce] = [
    sent["edgeboard-signature"],
    sent["edgeboard-timestamp"],
    sent["edgeboard-nonce"],
  ];
  if (signature === undefined && timestamp === undefined && nonce === undefined) return undefined;
  const [, key, hmac] = SIGNATURE.exec(signature ?? "") ?? [];
  if (key === undefined || hmac === undefined || nonce === undefined || !TIMESTAMP.test(timestamp ?? "")) {
    throw badSignature("Send Edgeboard-Signature, -Timestamp and -Nonce together, as docs/signing.md says.");
  }
  return {
    game,
    key: Number(key),
    method: c.req.method,
    path: new URL(c.req.url).pathname,
    timestamp: timestamp ?? "",
    nonce,
    player,
    body: new Uint8Array(await c.req.arrayBuffer()),
    signature: hmac,
  };
}
