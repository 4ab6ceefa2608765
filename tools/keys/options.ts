/** Command line of `npm run keys`. */
import { parseArgs } from "node:util";
import { z } from "zod";
import { Game, Player } from "../../functions/contract/primitives.ts";

export const USAGE = `usage: npm run keys -- <command>

  create --game <game> --scopes submit,backdate,admin   makes a key and shows it, once
  list   [--game <game>]                                prefixes, scopes, state; never a key
  rotate --prefix <prefix> [--grace-hours 24]           makes a key with the same scopes; the old one ends after the grace
  revoke --prefix <prefix>                              ends a key; it stops within 60 s
  log    --game <game> [--n 50]                         who moderated what, newest first
  token  --game <game> --player <player> [--hours 12]   a player token for the stack that runs on this machine: its player
                                                        submits with it; your backend signs those of a deployment

Finds Postgres by DATABASE_URL; else by DATA_DIR/stack.json. A token is always for the stack of DATA_DIR.`;

const Prefix = z.string().regex(/^[A-Za-z0-9]{8,32}$/, "must be a key's prefix, as `list` shows it");
const Scopes = z
  .string()
  .transform((text) => text.split(","))
  .pipe(z.array(z.enum(["submit", "backdate", "admin"])).min(1))
  .transform((scopes) => [...new Set(scopes)]);

const Command = z.discriminatedUnion("command", [
  z.strictObject({ command: z.literal("create"), game: Game, scopes: Scopes }),
  z.strictObject({ command: z.literal("list"), game: Game.optional() }),
  z.strictObject({
    command: z.literal("rotate"),
    prefix: Prefix,
    "grace-hours": z.coerce.number().pipe(z.number().min(0).max(8_760)).default(24),
  }),
  z.strictObject({ command: z.literal("revoke"), prefix: Prefix }),
  z.strictObject({
    command: z.literal("log"),
    game: Game,
    n: z.coerce.number().pipe(z.int().min(1).max(1_000)).default(50),
  }),
  z.strictObject({
    command: z.literal("token"),
    game: Game,
    player: Player,
    hours: z.coerce.number().pipe(z.number().positive().max(8_760)).default(12),
  }),
]);
export type Command = z.infer<typeof Command>;

const text = { type: "string" } as const;

function complaint(command: string, issue: z.core.$ZodIssue): string {
  if (issue.code === "invalid_union") return `there is no command "${command}"`;
  if (issue.code === "unrecognized_keys") return `${command} takes no --${issue.keys.join(" and no --")}`;
  return `--${issue.path.join(".")}: ${issue.message}`;
}

/** Throws with what is wrong. */
export function parseCommand(args: readonly string[]): Command {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { game: text, scopes: text, prefix: text, "grace-hours": text, n: text, player: text, hours: text },
  });
  const [command, ...more] = positionals;
  if (command === undefined || more.length > 0) throw new Error("name one command");
  const parsed = Command.safeParse({ command, ...values });
  if (parsed.success) return parsed.data;
  throw new Error(parsed.error.issues.map((issue) => complaint(command, issue)).join("; "));
}
