/** Server keys of the database; the CLI (tools/keys) writes them, the Worker only reads. */
import { sql } from "drizzle-orm";
import { z } from "zod";
import { apiKeys } from "../../../drizzle/schema/api-keys.ts";
import type { StoredKey } from "../auth/server-keys.ts";
import { instantMs, type Postgres } from "./client.ts";

const row = z.object({
  game: z.string(),
  hash: z.string(),
  scopes: z.array(z.enum(["submit", "backdate", "admin"])),
  revoked_at: instantMs.nullable(),
});

/** The key of a prefix unless it is revoked; a revocation may lie ahead (rotation). */
export function createKeyFinder(postgres: Postgres): (prefix: string) => Promise<StoredKey | undefined> {
  return async (prefix) => {
    const [found] = await postgres.query(
      row,
      sql`select ${apiKeys.game}, ${apiKeys.hash}, to_jsonb(${apiKeys.scopes}) as scopes, ${apiKeys.revokedAt}
        from ${apiKeys} where ${apiKeys.prefix} = ${prefix}
          and (${apiKeys.revokedAt} is null or ${apiKeys.revokedAt} > now())`,
    );
    return (
      found && {
        game: found.game,
        hash: found.hash,
        scopes: found.scopes,
        endsAtMs: found.revoked_at ?? undefined,
      }
    );
  };
}
