/** `npm run doctor`: compares Redis with Postgres and says what is wrong; `--repair` mends it. */
import { parseArgs } from "node:util";
import { parseStackEnvironment } from "../../local/env.ts";
import { runTool } from "../command-line.ts";
import type { Problem } from "./problem.ts";
import { visit } from "./run.ts";
import { openStores } from "./stores.ts";

const USAGE = `usage: npm run doctor -- [--game <game>] [--full] [--repair] [--json] [--adopt]

Compares every board's count, order and content with Postgres (big boards by samples, --full entry by entry), expiry,
function library, stream group, pending entries, feed and badges. Exit code 0: all is well, or was mended. 1: it is not,
or the command line makes no sense. 2: it could not look. --adopt takes over a Redis that belongs to another
deployment. Finds the stores by REDIS_URL or UPSTASH_REDIS_REST_URL and _TOKEN, and DATABASE_URL; else by
DATA_DIR/stack.json.`;

function parseOptions(args: readonly string[]) {
  const flag = { type: "boolean", default: false } as const;
  const { values } = parseArgs({
    args: [...args],
    options: { game: { type: "string" }, json: flag, full: flag, repair: flag, adopt: flag },
  });
  return { game: values.game, json: values.json, full: values.full, repair: values.repair, adopt: values.adopt };
}
type Options = ReturnType<typeof parseOptions>;

const forJson = ({ check, game, board, detail }: Problem) => ({
  check,
  game: game ?? null,
  board: board ?? null,
  detail,
});

async function run(options: Options): Promise<number> {
  const say = options.json ? () => undefined : (line: string) => console.log(line);
  const stores = await openStores(process.env, parseStackEnvironment(process.env).dataDir, {
    writes: options.repair,
    adopt: options.adopt,
    say: (line) => console.error(line),
  });
  try {
    const { found, left } = await visit(stores, options, say);
    const ok = left.length === 0;
    if (options.json) console.log(JSON.stringify({ ok, found: found.map(forJson), left: left.map(forJson) }, null, 2));
    else if (ok) console.log("all is well");
    else console.log(`${left.length} problems${options.repair ? " are left" : "; --repair mends them"}`);
    return ok ? 0 : 1;
  } finally {
    await stores.close();
  }
}

await runTool({ usage: USAGE, parse: parseOptions, run, failed: 2 });
