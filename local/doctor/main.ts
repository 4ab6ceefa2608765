/** `npm run doctor`: compares Redis with Postgres and says what is wrong; `--repair` mends it. */
import { parseArgs } from "node:util";
import { parseStackEnvironment } from "../env.ts";
import { examine } from "./examine.ts";
import type { Problem } from "./problem.ts";
import { openStores, type Stores } from "./stores.ts";

const USAGE = `usage: npm run doctor -- [--game <game>] [--full] [--repair] [--json]

Compares every board's count, order and content with Postgres (big boards by samples, --full entry by entry), expiry,
function library, stream group, pending entries, feed and badges. Exit code 0: all is well, or was mended. 1: it is not.
2: it could not look. Finds the stores by REDIS_URL or UPSTASH_REDIS_REST_URL and _TOKEN, and DATABASE_URL; else by
DATA_DIR/stack.json.`;

type Options = { game: string | undefined; json: boolean; full: boolean; repair: boolean; help: boolean };

function parseOptions(args: readonly string[]): Options {
  const flag = { type: "boolean", default: false } as const;
  const { values } = parseArgs({
    args: [...args],
    options: { game: { type: "string" }, json: flag, full: flag, repair: flag, help: flag },
  });
  return { game: values.game, json: values.json, full: values.full, repair: values.repair, help: values.help };
}

const sentence = ({ check, game, board, detail }: Problem) =>
  `${[game ?? "all games", board].filter(Boolean).join(" ")}: ${check}: ${detail}`;

/** Without the library nothing can be read, so a mended one is followed by another look. */
async function find(stores: Stores, options: Options, say: (line: string) => void): Promise<Problem[]> {
  const found: Problem[] = [];
  for await (const { game, problems } of examine(stores, options)) {
    if (game !== undefined && problems.length === 0) say(`${game}: all is well`);
    for (const problem of problems) say(sentence(problem));
    found.push(...problems);
  }
  return found;
}

async function repair(problems: readonly Problem[], say: (line: string) => void): Promise<void> {
  for (const problem of problems) {
    if (!problem.repair) continue;
    say(`mending ${sentence(problem)}`);
    await problem.repair();
  }
}

const forJson = ({ check, game, board, detail }: Problem) => ({
  check,
  game: game ?? null,
  board: board ?? null,
  detail,
});

async function main(): Promise<number> {
  const options = parseOptions(process.argv.slice(2));
  if (options.help) {
    console.log(USAGE);
    return 0;
  }
  const say = options.json ? () => undefined : (line: string) => console.log(line);
  const stores = await openStores(process.env, parseStackEnvironment(process.env).dataDir);
  try {
    let found = await find(stores, options, say);
    const all = [...found];
    // A mended library opens the view on the games, so there may be a second round.
    for (let round = 0; options.repair && found.length > 0 && round < 3; round += 1) {
      await repair(found, say);
      found = await find(stores, options, say);
      if (round === 0 && all.every(({ check }) => check === "library")) all.push(...found);
    }
    const ok = found.length === 0;
    if (options.json) console.log(JSON.stringify({ ok, found: all.map(forJson), left: found.map(forJson) }, null, 2));
    else console.log(ok ? "all is well" : `${found.length} problems; --repair mends them`);
    return ok ? 0 : 1;
  } finally {
    await stores.close();
  }
}

process.exitCode = await main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error));
  return 2;
});
