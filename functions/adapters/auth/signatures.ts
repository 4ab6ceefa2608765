/**
 * Signed submissions (docs/signing.md). A game's secrets are derived from one secret of the environment and a number,
 * so none is stored and checking one needs no look-up; which numbers are good is decided by the submit statement.
 */
import type { SignedRequest, Signatures } from "../../services/access/ports.ts";
import { fromHex, hex, hmacKey, sha256, utf8 } from "./secrets.ts";

async function secretOf(master: string, game: string, key: number): Promise<Uint8Array<ArrayBuffer>> {
  const signed = await crypto.subtle.sign(
    "HMAC",
    await hmacKey(utf8(master), ["sign"]),
    utf8(`edgeboard-signing\n${game}\n${key}`),
  );
  // The hex text is the secret: what a game's developers see is what they put into HMAC.
  return utf8(hex(new Uint8Array(signed)));
}

async function canonical(request: SignedRequest): Promise<Uint8Array<ArrayBuffer>> {
  const body = hex(await sha256(request.body));
  const { method, path, timestamp, nonce, player } = request;
  return utf8(["v1", method, path, timestamp, nonce, player, body].join("\n"));
}

export function createSignatures(master: string): Signatures {
  return {
    async secret(game, key) {
      return new TextDecoder().decode(await secretOf(master, game, key));
    },
    async verify(request) {
      const signature = fromHex(request.signature);
      if (!signature) return false;
      const key = await hmacKey(await secretOf(master, request.game, request.key), ["verify"]);
      // Constant time by the platform.
      return crypto.subtle.verify("HMAC", key, signature, await canonical(request));
    },
  };
}
