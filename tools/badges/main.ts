/** `npm run badges`: what is awarded and what is missing; `--backfill` awards what history deserves. */
import { sql } from "drizzle-orm";
import { z } from "zod";
import { backfillBadges } from "../../functions/services/badges/award-badges.ts";
import { openStores, type Stores } from "../doctor/stores.ts";
import { toolDeps } from "../doctor/tool-deps.ts";
import { parseStackEnvironment } from "../../local/env.ts";
import { startProgress } from "../../local/progress.ts";
import { runTool } from "../command-line.ts";
import { parseOptions, USAGE, type Options } from "./options.ts";

const Count = z.coerce.number();
const AwardRow = z.object({ badge: z.string(), threshold: Count, awarded: Count });

async function submissionsOf({ postgres }: Stores, game: string): Promise<number> {
  const row = z.object({ submissions: Count });
  const [found] = await postgres.query(row, sql`select count(*) as submissions from submissions where game = ${game}`);
  return found?.submissions ?? 0;
}

/** Today's badges of a game and how many players have each. */
function awardsOf({ postgres }: Stores, game: string) {
  return postgres.query(
    AwardRow,
    sql`select r.badge, r.threshold,
        (select count(*) from badges b where b.game = r.game and b.badge = r.badge) as awarded
      from badge_rules r where r.game = ${game} and r.ends_at is null order by r.threshold, r.badge`,
  );
}

async function backfill(stores: Stores, game: string): Promise<void> {
  const progress = startProgress(`judging ${game}`, await submissionsOf(stores, game));
  const { judged, awarded } = await backfillBadges(toolDeps(stores), game, (so) => progress.update(so.judged));
  progress.end();
  console.log(`${game}: ${judged.toLocaleString("en")} submissions judged, ${awarded.toLocaleString("en")} badges new`);
}

async function show(stores: Stores, game: string): Promise<void> {
  const { badges, queue } = toolDeps(stores);
  const [awards, missing, state] = await Promise.all([
    awardsOf(stores, game),
    badges.missing(game),
    queue.state(game).catch(() => undefined),
  ]);
  const each = awards.map(({ badge, threshold, awarded }) => `${badge} (${threshold.toLocaleString("en")}) ${awarded}`);
  const stream = state ? `${state.unread} unread, ${state.pending} pending` : "Redis does not have the game";
  console.log(`${game}: ${each.join(", ") || "no badges"}; ${missing} missing; stream: ${stream}`);
}

async function run({ game, backfill: wanted }: Options): Promise<number> {
  const stores = await openStores(process.env, parseStackEnvironment(process.env).dataDir, {
    writes: wanted,
    say: (line) => console.error(line),
  });
  try {
    const games = await toolDeps(stores).badges.games("all");
    if (game !== undefined && !games.includes(game)) throw new Error(`there is no game "${game}"`);
    for (const each of game === undefined ? games : [game]) {
      if (wanted) await backfill(stores, each);
      await show(stores, each);
    }
    return 0;
  } finally {
    await stores.close();
  }
}

await runTool({ usage: USAGE, parse: parseOptions, run });
