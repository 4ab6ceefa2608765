/** Makes differing entries in Redis what Postgres says. */
import type { Correction } from "../../functions/services/moderation/ports.ts";
import { fillsOf } from "../../functions/services/healing/rebuild.ts";
import { look, nameOf, type Difference } from "./compare.ts";
import { expectedOf, type Expected } from "./expected.ts";
import type { Stores } from "./stores.ts";
import type { ToolDeps } from "./tool-deps.ts";
import { chunks } from "../../functions/domain/page.ts";

const PAGE = 1_000;
const AT_ONCE = 50;

/** Puts on what is missing or too low: fast, and harmless beside submissions. */
async function fill(stores: Stores, deps: ToolDeps, game: string, name: string, players: readonly string[]) {
  for (const some of chunks(players, PAGE)) {
    const wanted = await expectedOf(stores.postgres, game, name, some);
    const entries = [...wanted].map(([player, entry]) => ({ player, ...entry }));
    if (entries.length > 0) await deps.filler.fill(game, await deps.bests.moderated(game), fillsOf(name, entries));
  }
}

type Wanted = ReadonlyMap<string, Expected>;

function correctionOf(
  player: string,
  moderated: string,
  allTime: Wanted,
  week: string | undefined,
  ofWeek: Wanted,
  countries: readonly string[],
): Correction {
  const best = ofWeek.get(player);
  const on = new Set([
    ...countries,
    ...(best?.leftCountries ?? []),
    ...(best?.country === undefined ? [] : [best.country]),
  ]);
  return {
    player,
    at: "",
    moderated,
    forget: false,
    submissions: [],
    allTime: allTime.get(player),
    weeks: week === undefined ? [] : [{ week, best, country: best?.country, countries: [...on] }],
  };
}

/** Sets what is too high, and takes off who should not be there: one call a player. */
async function correct(stores: Stores, deps: ToolDeps, game: string, name: string, found: readonly Difference[]) {
  const byPlayer = [...Map.groupBy(found, ({ player }) => player)];
  for (const some of chunks(byPlayer, PAGE)) {
    const players = some.map(([player]) => player);
    const moderated = await deps.bests.moderated(game);
    const allTime = await expectedOf(stores.postgres, game, "all-time", players);
    const ofWeek = await expectedOf(stores.postgres, game, name, players);
    for (const few of chunks(some, AT_ONCE)) {
      await Promise.all(
        few.map(async ([player, differences]) => {
          const countries = differences.flatMap(({ board }) => (board.kind === "week" ? (board.country ?? []) : []));
          const week = name === "all-time" ? undefined : name;
          const correction = correctionOf(player, moderated, allTime, week, ofWeek, countries);
          const { moderated: now } = await deps.corrector.correct(game, correction);
          if (BigInt(now) > BigInt(moderated)) await deps.moderation.raiseModerated(game, now);
        }),
      );
    }
  }
}

/** Mends the differences of one week, or of the all-time board. */
export async function mend(stores: Stores, deps: ToolDeps, game: string, found: readonly Difference[]): Promise<void> {
  for (const [name, ofBoard] of Map.groupBy(found, ({ board }) => nameOf(board))) {
    await fill(stores, deps, game, name, [...new Set(ofBoard.map(({ player }) => player))]);
    for (const [board, differences] of Map.groupBy(ofBoard, (one) => one.board)) {
      const left = await look(
        stores,
        game,
        board,
        differences.map(({ player }) => player),
      );
      await correct(stores, deps, game, name, left);
    }
  }
}
