/** Makes differing entries in Redis what Postgres says. */
import type { Correction } from "../../functions/services/moderation/ports.ts";
import { fillsOf } from "../../functions/services/healing/pages.ts";
import { boardOf, hasCountries, labelOf, parseLabel, type Board } from "../../functions/domain/board/board.ts";
import { look, type Difference } from "./compare.ts";
import { expectedOf, type Expected } from "./expected.ts";
import type { Stores } from "./stores.ts";
import type { ToolDeps } from "./tool-deps.ts";
import { chunks } from "../../functions/domain/page.ts";

const PAGE = 1_000;
const AT_ONCE = 50;

/** Puts on what is missing or too low: fast, and harmless beside submissions. */
async function fill(stores: Stores, deps: ToolDeps, game: string, whole: Board, players: readonly string[]) {
  for (const some of chunks(players, PAGE)) {
    const wanted = await expectedOf(stores.postgres, game, whole, some);
    const entries = [...wanted].map(([player, entry]) => ({ player, ...entry }));
    if (entries.length > 0) await deps.filler.fill(game, await deps.bests.moderated(game), fillsOf(whole, entries));
  }
}

type Wanted = ReadonlyMap<string, Expected>;

function correctionOf(
  player: string,
  moderated: string,
  board: Board,
  wanted: Wanted,
  countries: readonly string[],
): Correction {
  const best = wanted.get(player);
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
    defined: [],
    boards: [{ board, best, country: best?.country, countries: hasCountries(board) ? [...on] : [] }],
  };
}

/** Sets what is too high, and takes off who should not be there: one call a player. */
async function correct(stores: Stores, deps: ToolDeps, game: string, whole: Board, found: readonly Difference[]) {
  const byPlayer = [...Map.groupBy(found, ({ player }) => player)];
  for (const some of chunks(byPlayer, PAGE)) {
    const players = some.map(([player]) => player);
    const moderated = await deps.bests.moderated(game);
    const wanted = await expectedOf(stores.postgres, game, whole, players);
    for (const few of chunks(some, AT_ONCE)) {
      await Promise.all(
        few.map(async ([player, differences]) => {
          const countries = differences.flatMap(({ board }) => board.country ?? []);
          const correction = correctionOf(player, moderated, whole, wanted, countries);
          const { moderated: now } = await deps.corrector.correct(game, correction);
          if (BigInt(now) > BigInt(moderated)) await deps.moderation.raiseModerated(game, now);
        }),
      );
    }
  }
}

/** Mends the differences of boards. */
export async function mend(stores: Stores, deps: ToolDeps, game: string, found: readonly Difference[]): Promise<void> {
  for (const [name, ofWhole] of Map.groupBy(found, ({ board }) => board.name)) {
    const whole = boardOf(name);
    await fill(stores, deps, game, whole, [...new Set(ofWhole.map(({ player }) => player))]);
    for (const [label, differences] of Map.groupBy(ofWhole, ({ board }) => labelOf(board))) {
      const players = differences.map(({ player }) => player);
      await correct(stores, deps, game, whole, await look(stores, game, parseLabel(label), players));
    }
  }
}
