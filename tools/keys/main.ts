/** `npm run keys`: makes, lists, rotates and revokes server keys, shows the moderation log, and signs player tokens for the local stack. */
import pg from "pg";
import { parseStackEnvironment } from "../../local/env.ts";
import { postgresPlace } from "../../local/given-stores.ts";
import { runningStack } from "../../local/running-stack.ts";
import { loadSecrets } from "../../local/secrets.ts";
import { runTool } from "../command-line.ts";
import { table } from "../table.ts";
import { parseCommand, USAGE, type Command } from "./options.ts";
import { createKey, endKey, listKeys, readLog, requireGame, rotateKey, type KeyRow } from "./store.ts";
import { playerToken } from "./token.ts";

const iso = (date: Date) => date.toISOString().slice(0, 19);

function stateOf({ revoked_at: end }: KeyRow): string {
  if (end === null) return "works";
  return end.getTime() > Date.now() ? `ends ${iso(end)}` : `ended ${iso(end)}`;
}

async function answer(client: pg.Client, command: Command, dataDir: string): Promise<string> {
  switch (command.command) {
    case "create":
      return `${await createKey(client, command.game, command.scopes)}\n\nShown now and never again: keep it.`;
    case "list": {
      const keys = await listKeys(client, command.game);
      if (keys.length === 0)
        return `no keys${command.game === undefined ? "" : ` of ${command.game}`}: \`create\` makes one`;
      const lines = keys.map((key) => [key.game, key.prefix, key.scopes.join(","), iso(key.created_at), stateOf(key)]);
      return table([["game", "prefix", "scopes", "created (UTC)", "state"], ...lines]);
    }
    case "rotate": {
      const { key, old } = await rotateKey(client, command.prefix, command["grace-hours"]);
      return `${key}\n\nShown now and never again: keep it. The old one, ${old.prefix}, ${stateOf(old)}.`;
    }
    case "revoke": {
      const { prefix } = await endKey(client, command.prefix, 0);
      return `${prefix} is revoked; every Worker stops taking it within 60 s.`;
    }
    case "log": {
      const entries = await readLog(client, command.game, command.n);
      if (entries.length === 0) return `nobody has moderated anything in ${command.game}`;
      const lines = entries.map((entry) => [
        iso(entry.at),
        entry.by,
        entry.action,
        entry.player ?? "",
        entry.submission_id ?? "",
      ]);
      return table([["at (UTC)", "by", "action", "player", "submission"], ...lines]);
    }
    case "token":
      await requireGame(client, command.game);
      return playerToken(loadSecrets(dataDir).playerTokenSecret, command);
  }
}

async function run(command: Command): Promise<number> {
  const { dataDir, databaseUrl } = parseStackEnvironment(process.env);
  const own = command.command === "token" ? undefined : databaseUrl;
  const connectionString = own ?? runningStack(dataDir).databaseUrl;
  console.error(`Postgres ${postgresPlace(connectionString)}`);
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    console.log(await answer(client, command, dataDir));
    return 0;
  } finally {
    await client.end();
  }
}

await runTool({ usage: USAGE, parse: parseCommand, run });
