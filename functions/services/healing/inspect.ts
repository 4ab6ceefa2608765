/**
 * Compares what Redis holds of a game with what Postgres says: a few entries and sizes of each board, chosen so that a board
 * that was lost or is an older copy differs. docs/healing.md has the argument.
 */
import { isNewer } from "../../contract/live.ts";
import { DependencyError } from "../../domain/errors.ts";
import { isWhole, labelOf, parseLabel, partOf, type Board } from "../../domain/board/board.ts";
import { compareScores, entryText, isPeriodLabel, partLabelOf } from "../../domain/board/period-board.ts";
import { packScore } from "../../domain/board/score.ts";
import type { Asked, EntryFact, Fact, GameFacts, Held, Subject } from "./inspection-ports.ts";
import type { Runtime } from "../runtime.ts";
import type { HealingPorts } from "./ports.ts";

/**
 * `behind`: submissions that are not verified yet are not there; reconciling brings them. `lost`: what was there once is not
 * there any more. `missing`: Redis knows by itself that it does not have the game. `unknown`: Postgres has no such game.
 */
export type Verdict = "sound" | "behind" | "lost" | "missing" | "unknown";

export type InspectDeps = Pick<HealingPorts, "facts" | "inspector"> & Pick<Runtime, "sleep">;

/** Submissions on their way arrive within milliseconds; what is not there at so many looks did not. */
const MOST_LOOKS = 4;
const PAUSE_MS = 100;

/** A key of a wrong type, and distinct players that are garbled. */
const DAMAGE: readonly string[] = ["WRONGTYPE", "INVALIDOBJ"];

/** Whether Redis refused a call because of what a key holds. */
export const isDamage = (error: unknown): boolean =>
  error instanceof DependencyError && error.dependency === "redis" && DAMAGE.includes(error.code);

/** Three standard errors of a HyperLogLog (0.81 %) and a few players. */
const ESTIMATE_ERROR = 0.025;
const ESTIMATE_SLACK = 3;

/** Whether players were not counted. An estimate that is too high is no fault: players whom a moderator took off stay counted. */
export const estimatesTooFew = (estimate: number, players: number): boolean =>
  estimate < players * (1 - ESTIMATE_ERROR) - ESTIMATE_SLACK;

type Expected = Pick<Fact, "player" | "verified"> & {
  readonly board: string;
  readonly score: number | undefined;
  /** Below 0 when a score that Redis has is behind this one, above 0 when it is ahead. */
  readonly compare: (score: number, wanted: number) => number;
};

const byScore = (score: number, wanted: number) => score - wanted;

/** What is expected on the boards, by the names of GameFacts.sizes. */
function expectedOf({ facts, sizes }: GameFacts, { countries, except }: Subject): Expected[] {
  const wanted = (board: Board, country: string) =>
    countries === "any" ? sizes.has(labelOf(partOf(board, country))) : countries.includes(country);
  return facts.flatMap(({ board, player, entry, country, verified }) => {
    if (except?.has(player)) return [];
    const score = entry && packScore(board, entry);
    const whole: Expected = { board: labelOf(board), player, verified, score, compare: byScore };
    const inCountry = country !== undefined && wanted(board, country);
    return inCountry ? [whole, { ...whole, board: labelOf(partOf(board, country)) }] : [whole];
  });
}

/** The same on boards that the game defined. */
function expectedEntries(facts: readonly EntryFact[], { except }: Subject): Expected[] {
  return facts.flatMap(({ periodBoard, player, entry, parts, verified }) => {
    if (except?.has(player)) return [];
    const score = entry && Number(entryText(periodBoard, entry));
    const compare = (held: number, wanted: number) => compareScores(periodBoard, held, wanted);
    const labels = [periodBoard.key, ...parts.map((part) => partLabelOf(periodBoard.key, part))];
    return labels.map((board) => ({ board, player, verified, score, compare }));
  });
}

const NO_ENTRIES = { facts: [], sizes: new Map<string, number>() };

type Look = { readonly facts: GameFacts; readonly expected: readonly Expected[]; readonly held: Held };

async function look(deps: InspectDeps, game: string, subject: Subject): Promise<Look | "lost" | "missing" | undefined> {
  const [ofGame, entries] = await Promise.all([
    deps.facts.of(game, subject),
    subject.defined.length > 0 ? deps.facts.ofEntries(game, subject.defined) : NO_ENTRIES,
  ]);
  if (!ofGame) return undefined;
  const expected = [...expectedOf(ofGame, subject), ...expectedEntries(entries.facts, subject)];
  const facts = { ...ofGame, sizes: new Map([...ofGame.sizes, ...entries.sizes]) };
  const asked = new Map<string, string[]>(subject.boards.map((board) => [labelOf(board), []]));
  for (const name of facts.sizes.keys()) asked.set(name, []);
  for (const { board, player } of expected) asked.set(board, [...(asked.get(board) ?? []), player]);
  const held = await deps.inspector.inspect(game, asked as Asked, subject.upkeep);
  if (held === "damaged") return "lost";
  return held === "missing" ? held : { facts, expected, held };
}

type Problem = "lost" | "behind";

/** What Redis lacks of what Postgres said before Redis was asked: what was proven never goes again by itself. */
function lacking({ facts, expected }: Look, { held }: Look): Map<string, Problem> {
  const found = new Map<string, Problem>();
  for (const { board, player, score, verified, compare } of expected) {
    const holds = held.boards.get(board);
    if (!holds) continue;
    const now = holds.scores.get(player);
    if (score !== undefined && (now === undefined || compare(now, score) < 0)) {
      found.set(`low ${board} ${player}`, verified ? "lost" : "behind");
    }
  }
  for (const [name, { size, estimate }] of held.boards) {
    const wanted = facts.sizes.get(name);
    if (wanted === undefined || facts.pending === undefined) continue;
    if (size < wanted - facts.pending) found.set(`size ${name}`, "lost");
    const counted = estimate === undefined ? undefined : estimate + facts.pending;
    if (counted !== undefined && estimatesTooFew(counted, wanted)) found.set(`players ${name}`, "lost");
  }
  if (isNewer(facts.moderated, held.moderated)) found.set("moderated", facts.moderating ? "behind" : "lost");
  const newest = held.events.reduce((last, id) => (id > last ? id : last), "");
  if (facts.newestVerified !== undefined && newest < facts.newestVerified) found.set("feed", "lost");
  else if (facts.newest !== undefined && newest < facts.newest) found.set("feed", "behind");
  return found;
}

/**
 * How many more entries than Postgres counts a board may have: a player who moves to another country is on the board of the old
 * one until the submission that moves him has arrived. Undefined when it cannot be told.
 */
const leaving = (name: string, { pending }: GameFacts) =>
  isPeriodLabel(name) || isWhole(parseLabel(name)) ? 0 : pending;

/** What Redis had that Postgres did not even know when it was asked later: Redis never knows more by itself. */
function exceeding({ held }: Look, { facts, expected }: Look): Map<string, Problem> {
  const found = new Map<string, Problem>();
  for (const { board, player, score, verified, compare } of expected) {
    const before = held.boards.get(board)?.scores.get(player);
    if (verified && before !== undefined && (score === undefined || compare(before, score) > 0)) {
      found.set(`high ${board} ${player}`, "lost");
    }
  }
  for (const [name, { size }] of held.boards) {
    const [wanted, moving] = [facts.sizes.get(name), leaving(name, facts)];
    if (wanted === undefined || moving === undefined || facts.moderating) continue;
    if (size > wanted + moving) found.set(`more ${name}`, "lost");
  }
  return found;
}

const both = (a: ReadonlyMap<string, Problem>, b: ReadonlyMap<string, Problem>) =>
  [...b].filter(([what]) => a.has(what));

export type Sighting = { readonly size: number; readonly first: number | undefined };

/**
 * The size of each board in Redis, and the most points on it where that is known: a player with as many may be first there. The
 * facts have the first place of whole boards; a board of a country is only known when it is empty.
 */
function sightingsOf({ facts, held }: Look): Map<string, Sighting> {
  const most = new Map<string, number>();
  for (const { board, entry } of facts.facts) {
    if (entry) most.set(board.name, Math.max(most.get(board.name) ?? 0, entry.points));
  }
  return new Map(
    [...held.boards].map(([name, { size }]) => [name, { size, first: most.get(name) ?? (size === 0 ? 0 : undefined) }]),
  );
}

/** What differs at both looks. */
function differing(first: Look, second: Look): Map<string, Problem> {
  return new Map([
    ...both(lacking(first, second), lacking(second, second)),
    ...both(exceeding(first, second), exceeding(second, second)),
  ]);
}

/** A size alone may be Postgres' own mistake, which no rebuild would mend (a restore without triggers): counted anew then. */
async function judge(deps: InspectDeps, game: string, found: ReadonlyMap<string, Problem>): Promise<Verdict> {
  const lost = [...found].flatMap(([what, problem]) => (problem === "lost" ? [what] : []));
  if (lost.length === 0) return found.size === 0 ? "sound" : "behind";
  const boards = lost.flatMap((what) => (/^(size|more) [^/]+$/.test(what) ? [what.split(" ")[1] ?? ""] : []));
  if (boards.length < lost.length) return "lost";
  const recounted = await Promise.all(boards.map((board) => deps.facts.recount(game, board)));
  return recounted.every(Boolean) ? "sound" : "lost";
}

export type Inspection = {
  readonly verdict: Verdict;
  readonly seen: ReadonlyMap<string, Sighting>;
  /** The newest submission that Postgres knows. */
  readonly newest: string | undefined;
};

const NOTHING_SEEN = { seen: new Map<string, Sighting>(), newest: undefined };

/**
 * Looks once, and when something differs, a second time: a moderator's action that was on its way at the first look has arrived,
 * or was not committed when Postgres was asked. Submissions that are on their way get a moment longer.
 */
export async function inspectGame(deps: InspectDeps, game: string, subject: Subject): Promise<Inspection> {
  let before: Look | undefined;
  let open: ReadonlyMap<string, Problem> | undefined;
  for (let looks = 1; ; looks += 1) {
    const now = await look(deps, game, subject);
    if (now === undefined) return { verdict: "unknown", ...NOTHING_SEEN };
    if (now === "lost" || now === "missing") return { verdict: now, ...NOTHING_SEEN };
    const found = { seen: sightingsOf(now), newest: now.facts.newest };
    const differs = differing(before ?? now, now);
    const still = open;
    open = still === undefined ? differs : new Map([...differs].filter(([what]) => still.has(what)));
    if (open.size === 0) return { verdict: "sound", ...found };
    const isLost = [...open.values()].includes("lost");
    if (before && (isLost || looks === MOST_LOOKS)) return { verdict: await judge(deps, game, open), ...found };
    if (before) await deps.sleep(PAUSE_MS);
    before = now;
  }
}
