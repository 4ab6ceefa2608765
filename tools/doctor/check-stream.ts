/** The activity stream: is the game there, does the badge group work, is the feed what it should be. */
import { z } from "zod";
import { activityKey, BADGE_GROUP } from "../../functions/adapters/redis/keys.ts";
import { drainBadges } from "../../functions/services/badges/drain-badges.ts";
import { rebuildGame } from "../../functions/services/healing/rebuild.ts";
import type { Problem } from "./problem.ts";
import type { Stores } from "./stores.ts";
import type { ToolDeps } from "./tool-deps.ts";

/** Two ticks: a run that is alive finishes or is taken over long before. */
const STUCK_MS = 120_000;
const LISTED = 1_000;
const A_MINUTE_MS = 60_000;
const NEVER = Number.POSITIVE_INFINITY;

const pendingReply = z.array(z.tuple([z.string(), z.string(), z.int(), z.int()]));
const groupsReply = z.array(z.array(z.unknown()));
const entriesReply = z.array(z.tuple([z.string(), z.array(z.string())]));

export async function checkMissing(stores: Stores, deps: ToolDeps, game: string): Promise<Problem[]> {
  if ((await stores.redis.command(["EXISTS", activityKey(game)])) === 1) return [];
  const repair = async () => {
    for (;;) {
      const outcome = await rebuildGame(deps, game, NEVER);
      if (outcome === "opened" || outcome === "ready") return;
      await deps.sleep(500);
    }
  };
  return [{ check: "missing", game, detail: "Redis does not have the game", repair }];
}

async function hasGroup({ redis }: Stores, game: string): Promise<boolean> {
  const groups = groupsReply.parse(await redis.command(["XINFO", "GROUPS", activityKey(game)]));
  return groups.some((group) => group[group.indexOf("name") + 1] === BADGE_GROUP);
}

export async function checkGroup(stores: Stores, game: string): Promise<Problem[]> {
  if (await hasGroup(stores, game)) return [];
  const { redis } = stores;
  const repair = () => redis.command(["XGROUP", "CREATE", activityKey(game), BADGE_GROUP, "0"]);
  return [{ check: "group", game, detail: `the consumer group "${BADGE_GROUP}" is missing`, repair }];
}

export async function checkPending(stores: Stores, deps: ToolDeps, game: string): Promise<Problem[]> {
  if (!(await hasGroup(stores, game))) return [];
  const command = [
    "XPENDING",
    activityKey(game),
    BADGE_GROUP,
    "IDLE",
    String(STUCK_MS),
    "-",
    "+",
    String(LISTED),
  ] as const;
  const stuck = pendingReply.parse(await stores.redis.command([...command]));
  const [first] = stuck;
  if (!first) return [];
  const idle = Math.round(first[2] / 1000);
  return [
    {
      check: "pending",
      game,
      detail: `${stuck.length} feed entries were read and not finished, the first ${idle} s ago by ${first[1]}`,
      repair: () => drainBadges(deps, game, deps.clock.now() + A_MINUTE_MS),
    },
  ];
}

/** No submission has two events. */
export async function checkFeed({ redis }: Stores, game: string): Promise<Problem[]> {
  const key = activityKey(game);
  const entries = entriesReply.parse(await redis.command(["XREVRANGE", key, "+", "-", "COUNT", String(LISTED)]));
  const seen = new Set<string>();
  const doubled = entries.filter(([, fields]) => {
    const submission = fields[fields.indexOf("submission") + 1] ?? "";
    return seen.size === seen.add(submission).size;
  });
  if (doubled.length === 0) return [];
  const repair = () => redis.command(["XDEL", key, ...doubled.map(([id]) => id)]);
  return [{ check: "feed", game, detail: `${doubled.length} events are in the feed twice`, repair }];
}
