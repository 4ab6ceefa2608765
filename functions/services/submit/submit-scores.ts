/** The submit path: Postgres in one statement, Redis in one FCALL, the room after the response. */
import type { ScoreRequest, ScoreResponse } from "../../contract/scores.ts";
import { ALL_TIME } from "../../domain/board/board.ts";
import { countryOf } from "../../domain/country.ts";
import { DependencyError, DomainError } from "../../domain/errors.ts";
import { createFold, toHeldResponse, toResponse, toValuesResponse } from "./answers.ts";
import { getGame } from "../games/games.ts";
import { markBusy } from "../games/active-games.ts";
import { applyLater } from "./apply-later.ts";
import { checkAfter } from "../live/check-rooms.ts";
import { isDamage } from "../healing/inspect.ts";
import { mendLost, type MendDeps } from "../healing/mend.ts";
import { lacksPlace, withPlaces } from "./places.ts";
import { pushTop } from "../live/push-top.ts";
import { rememberRanked, withoutProven } from "./ranked-bests.ts";
import { rebuildSoon, type RebuildSoonDeps } from "../healing/rebuild.ts";
import { toDomainError } from "./refusals.ts";
import { fitsWhatWasSeen } from "./submission-sights.ts";
import { dropBoardTops, dropTops } from "../boards/top-cache.ts";
import { subjectOfSubmissions, trusts } from "../healing/trust.ts";
import { beginCall } from "../healing/under-way.ts";
import { causeOf, noteFullBoard, noteUnranked } from "../operations/troubles.ts";
import type {
  Applied,
  NewSubmission,
  Origin,
  RankedEntry,
  RecordedSubmission,
  RecordOutcome,
  Standing,
  SubmitPorts,
} from "./ports.ts";
import { entriesOf, lastEntries, placesByWord, type Entered } from "./ranked-entries.ts";
import type { BoardPorts } from "../boards/ports.ts";
import { boardsOf } from "./board-answers.ts";
import { knownBoards, record, type RecordDeps } from "./record.ts";

export type Submission = ScoreRequest & {
  readonly idempotencyKey: string;
  /** What the edge saw of a player; the body's country wins, also when it says that there is none. */
  readonly edgeCountry: string | undefined;
};

export type SubmitDeps = SubmitPorts & BoardPorts & RebuildSoonDeps & MendDeps & RecordDeps;

export type SubmitResult = ScoreResponse | DomainError;

const SERVER: Origin = { caller: "server-key", signingKey: undefined, strict: false };

/** A feed event is only added for a retry once the first call can no longer be on its way. */
const FIRST_CALL_GONE_MS = 1_000;
/** Two ticks: by then a missing event was added, or is older than anything the feed shows. */
const RECONCILED_BY_MS = 120_000;

/** What the client asked for, to tell a retry from another use of the key. The edge's country is not part of it: a retry may come from another place. */
function requestOf({ points, country, submittedAt, values, keys, segments, metadata }: Submission): string {
  const asked: unknown[] = [points ?? null, country ?? null, submittedAt ?? null];
  const named = [values, keys, segments, metadata];
  return JSON.stringify(
    named.some((part) => part !== undefined) ? [...asked, ...named.map((part) => part ?? null)] : asked,
  );
}

function toNewSubmission(submission: Submission): NewSubmission {
  const { player, points, country, submittedAt, idempotencyKey, edgeCountry } = submission;
  const { values, keys, segments, metadata } = submission;
  return {
    player,
    points,
    values,
    keys,
    segments,
    metadata,
    brought: [],
    country: countryOf(country === undefined ? edgeCountry : country),
    // Cut to milliseconds in UTC: Postgres would round up, and knows fewer offsets than ISO 8601.
    at: submittedAt === undefined ? undefined : new Date(submittedAt).toISOString(),
    idempotencyKey,
    request: requestOf(submission),
  };
}

/** Redis out of reach is no failure: the submissions are durable and are ranked later. */
async function apply(
  deps: SubmitDeps,
  game: string,
  recorded: readonly RecordedSubmission[],
  entries: readonly RankedEntry[],
): Promise<Applied | undefined> {
  try {
    if (!(await trusts(deps, game, subjectOfSubmissions(deps, recorded, entries), "submission"))) return undefined;
    const applied = await deps.ranking.apply(game, recorded.map(withoutProven), entries);
    if (!(await fitsWhatWasSeen(deps, game, recorded, entries, applied))) return undefined;
    recorded.forEach((s, i) => applied.standings?.[i] && rememberRanked(s));
    if (!applied.places) noteUnranked(recorded.length, "rebuilding", deps.clock.now());
    return applied;
  } catch (error) {
    if (!(error instanceof DependencyError)) throw error;
    noteUnranked(recorded.length, causeOf(error), deps.clock.now());
    if (isDamage(error)) await mendLost(deps, game);
    return undefined;
  }
}

/** Says which boards take no more players. */
function noteFull(
  deps: Pick<SubmitDeps, "clock">,
  game: string,
  recorded: readonly RecordedSubmission[],
  applied: Applied | undefined,
) {
  applied?.standings?.forEach((standing, i) => {
    if (!standing || !lacksPlace(standing)) return;
    if (standing.allTimeRank === undefined) noteFullBoard(game, ALL_TIME.name, deps.clock.now());
    if (standing.rank === undefined) noteFullBoard(game, recorded[i]?.week ?? "", deps.clock.now());
  });
}

/** Places where a reader may see what these submissions changed; not ranked yet may be any place. */
function shownRanks(
  recorded: readonly RecordedSubmission[],
  standings: readonly (Standing | undefined)[],
): (number | undefined)[] {
  return recorded.flatMap((s, i) => {
    if (!s.thisWeek.raised && !s.allTime.raised && !s.replayed) return [];
    const standing = standings[i];
    return standing ? [standing.rank ?? 1, standing.countryRank, standing.allTimeRank ?? 1] : [1];
  });
}

/** Boards that the game defined and that these count on. */
const countedKeys = (outcomes: readonly (RecordOutcome | DomainError)[]): string[] =>
  outcomes.flatMap((o) =>
    "submission" in o ? (o.submission.entries ?? []).flatMap(({ key, reason }) => (reason ? [] : [key])) : [],
  );

/** Adds feed events on behalf of first calls that may not have arrived. The old ones are reconciling's business. */
function ensureEvents(deps: SubmitDeps, game: string, submissions: readonly RecordedSubmission[]): void {
  const young = submissions.filter((s) => s.ageMs < RECONCILED_BY_MS);
  if (young.length === 0) return;
  deps.background.run("ensure-feed-events", async () => {
    const youngest = Math.min(...young.map((s) => s.ageMs));
    if (youngest < FIRST_CALL_GONE_MS) await deps.sleep(FIRST_CALL_GONE_MS - youngest);
    // Asked again: a moderator may have taken them back meanwhile.
    const counting = await deps.bests.events(
      game,
      young.map((s) => s.submissionId),
    );
    if (counting.length > 0) await deps.ranking.ensureEvents(game, counting);
  });
}

function afterwards(
  deps: SubmitDeps,
  game: string,
  recorded: readonly RecordedSubmission[],
  entered: readonly Entered[],
  applied: Applied | undefined,
) {
  // Nothing is pushed of a week whose board is full: its room asks.
  const pushed = applied?.standings?.every((standing) => !standing || standing.rank !== undefined);
  checkAfter(deps, game, recorded, pushed ? applied?.pushes : undefined);
  if (!applied) {
    applyLater(deps, game, recorded, entered, (submissions) => ensureEvents(deps, game, submissions));
    return;
  }
  const replayed = recorded.filter((s) => s.replayed);
  if (applied.places) ensureEvents(deps, game, replayed);
  else rebuildSoon(deps, game);
  for (const week of applied.pushes) deps.background.run("push-top", () => pushTop(deps, game, week));
}

async function recordAndApply(deps: SubmitDeps, game: string, submissions: readonly Submission[], origin: Origin) {
  // Beside the statement, not before it: it costs no time, and a failure only delays healing.
  const marking = markBusy(deps, game);
  const outcomes = await record(deps, game, submissions.map(toNewSubmission), origin);
  if (!outcomes) throw new DomainError("unknown-game", `There is no game "${game}".`);
  await marking;
  const recorded = outcomes.flatMap((o) =>
    !(o instanceof DomainError) && o.outcome === "recorded" ? [o.submission] : [],
  );
  const { boards } = knownBoards(game);
  const entered = outcomes.flatMap((o): Entered[] => {
    if (o instanceof DomainError || (o.outcome !== "recorded" && o.outcome !== "values-recorded")) return [];
    const entries = entriesOf(boards, o.submission, deps.clock.now());
    return entries.length === 0 ? [] : [{ submission: o.submission, entries }];
  });
  const entries = lastEntries(entered);
  const isRanked = recorded.length > 0 || entries.size > 0;
  const applied = isRanked ? await apply(deps, game, recorded, [...entries.values()]) : undefined;
  return { outcomes, recorded, entered, isRanked, applied, places: placesByWord(entries, applied) };
}

/**
 * Records submissions of one game and ranks them; results in order, each a response or why it was refused.
 * Throws DomainError `unknown-game`, and `unavailable` when Postgres is out, slow or unsure: a retry with the same
 * keys is safe then.
 */
export async function submitScores(
  deps: SubmitDeps,
  game: string,
  submissions: readonly Submission[],
  origin: Origin = SERVER,
): Promise<SubmitResult[]> {
  if (submissions.length === 0) {
    await getGame(deps, game);
    return [];
  }
  const players = submissions.map(({ player }) => player);
  const end = beginCall(deps, game, players);
  const done = await recordAndApply(deps, game, submissions, origin).finally(end);
  const { outcomes, recorded, entered, applied, places } = done;
  if (done.isRanked) afterwards(deps, game, recorded, entered, applied);
  noteFull(deps, game, recorded, applied);
  const standings = await withPlaces(deps, game, recorded, applied?.standings);
  dropTops(game, shownRanks(recorded, standings));
  dropBoardTops(game, countedKeys(outcomes));

  const fold = createFold();
  let ranked = 0;
  const { boards } = knownBoards(game);
  return outcomes.map((outcome, i) => {
    if (outcome instanceof DomainError) return outcome;
    switch (outcome.outcome) {
      case "recorded":
        return {
          ...toResponse(game, outcome.submission, standings[ranked++], fold),
          ...boardsOf(boards, outcome.submission, submissions[i], places),
        };
      case "values-recorded":
        return {
          ...toValuesResponse(game, outcome.submission, !done.isRanked || applied?.places !== undefined),
          ...boardsOf(boards, outcome.submission, submissions[i], places),
        };
      case "held":
        return toHeldResponse(game, outcome.submission);
      default:
        return toDomainError(outcome);
    }
  });
}
