/** Server keys in Postgres: made here, checked by functions/adapters/auth/server-keys.ts. */
import { createHash, randomBytes, randomInt } from "node:crypto";
import type { ClientBase } from "pg";
import { z } from "zod";

const PREFIX_LENGTH = 12;
const SECRET_BYTES = 32;
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

const keyRow = z.object({
  prefix: z.string(),
  game: z.string(),
  scopes: z.array(z.string()),
  created_at: z.date(),
  revoked_at: z.date().nullable(),
});
export type KeyRow = z.infer<typeof keyRow>;

const logRow = z.object({
  at: z.date(),
  by: z.string(),
  action: z.string(),
  player: z.string().nullable(),
  submission_id: z.string().nullable(),
});
export type LogRow = z.infer<typeof logRow>;

/** A key and what the database keeps of it. */
export function makeKey(): { readonly key: string; readonly prefix: string; readonly hash: string } {
  const prefix = Array.from({ length: PREFIX_LENGTH }, () => LETTERS.charAt(randomInt(LETTERS.length))).join("");
  const secret = randomBytes(SECRET_BYTES).toString("base64url");
  return { key: `eb_${prefix}_${secret}`, prefix, hash: createHash("sha256").update(secret).digest("hex") };
}

/** Throws when there is no such game. */
export async function requireGame(client: ClientBase, game: string): Promise<void> {
  const { rowCount } = await client.query("select 1 from games where game = $1", [game]);
  if (rowCount !== 1) throw new Error(`there is no game "${game}"`);
}

/** Throws when there is no such game. */
export async function createKey(client: ClientBase, game: string, scopes: readonly string[]): Promise<string> {
  const { key, prefix, hash } = makeKey();
  await requireGame(client, game);
  await client.query("insert into api_keys (game, prefix, hash, scopes) values ($1, $2, $3, $4)", [
    game,
    prefix,
    hash,
    scopes,
  ]);
  return key;
}

/** Throws when there is no such game. */
export async function listKeys(client: ClientBase, game: string | undefined): Promise<KeyRow[]> {
  if (game !== undefined) await requireGame(client, game);
  const { rows } = await client.query(
    `select prefix, game, scopes, created_at, revoked_at from api_keys
      where $1::text is null or game = $1 order by game, created_at`,
    [game ?? null],
  );
  return z.array(keyRow).parse(rows);
}

/** Ends a key after `graceHours`; an earlier end stays. Throws when there is no such key, or it has ended. */
export async function endKey(client: ClientBase, prefix: string, graceHours: number): Promise<KeyRow> {
  const { rows } = await client.query(
    `update api_keys set revoked_at = least(revoked_at, now() + make_interval(secs => $2))
      where prefix = $1 and (revoked_at is null or revoked_at > now())
      returning prefix, game, scopes, created_at, revoked_at`,
    [prefix, graceHours * 3_600],
  );
  const [row] = z.array(keyRow).parse(rows);
  if (!row) throw new Error(`there is no key with the prefix ${prefix} that still works`);
  return row;
}

/** A new key like the old one, which ends after the grace: both work meanwhile. One transaction. */
export async function rotateKey(
  client: ClientBase,
  prefix: string,
  graceHours: number,
): Promise<{ readonly key: string; readonly old: KeyRow }> {
  await client.query("begin");
  try {
    const old = await endKey(client, prefix, graceHours);
    const key = await createKey(client, old.game, old.scopes);
    await client.query("commit");
    return { key, old };
  } catch (error) {
    await client.query("rollback");
    throw error;
  }
}

/** Throws when there is no such game. */
export async function readLog(client: ClientBase, game: string, n: number): Promise<LogRow[]> {
  await requireGame(client, game);
  const { rows } = await client.query(
    "select at, by, action, player, submission_id from moderation_log where game = $1 order by id desc limit $2",
    [game, n],
  );
  return z.array(logRow).parse(rows);
}
