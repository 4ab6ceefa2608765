/**
 * Records submissions in Postgres. What they bring to boards that the game defined is computed here, by the definitions that this
 * isolate knows; the statement checks them and the periods first, and writes nothing when they are other ones (docs/decisions/0020).
 */
import { DependencyError, DomainError } from "../../domain/errors.ts";
import { ensurePeriods, type EnsureDeps, type WantedPeriod } from "../definitions/keep-periods.ts";
import { createMemory } from "../memory.ts";
import { orUnavailable } from "../or-unavailable.ts";
import { broughtBy } from "./brought.ts";
import type { KnownBoards, NewSubmission, Origin, RecordOutcome, SubmitPorts } from "./ports.ts";

export type RecordDeps = Pick<SubmitPorts, "submissions"> & EnsureDeps;

/** What this isolate knows of the games that defined boards: plain values, so sharing them between requests is safe. */
const known = createMemory<KnownBoards>(1_000);
const NONE: KnownBoards = { revision: undefined, boards: [] };

/** Other boards, then other periods at the end of one; more than that says that something else is wrong. */
const MOST_TRIES = 4;

const NOT_STORED = "The score could not be stored. Retry with the same Idempotency-Key.";

type Prepared = NewSubmission | DomainError;

/** With what it brings; or why it is refused, which the caller is told with the pointer and the board. */
function prepare(submission: NewSubmission, { boards }: KnownBoards, nowMs: number): Prepared {
  const atMs = submission.at === undefined ? nowMs : Date.parse(submission.at);
  const { brought, errors } = broughtBy(boards, submission, atMs);
  if (errors.length > 0) return new DomainError("invalid", "The request is not valid; see errors.", { errors });
  return brought.length === 0 ? submission : { ...submission, brought };
}

/** The boards and moments of these submissions, a period once. */
function wantedPeriods(submissions: readonly NewSubmission[], nowMs: number): WantedPeriod[] {
  const wanted = new Map<string, WantedPeriod>();
  for (const { brought, at } of submissions) {
    for (const { board, period } of brought) {
      const atMs = at === undefined ? nowMs : Date.parse(at);
      wanted.set(`${board.id} ${period ?? ""} ${at ?? ""}`, { board: board.id, atMs });
    }
  }
  return [...wanted.values()];
}

/** The total of a board would leave its bounds, and the caller asked for all or nothing. */
const isOutOfRange = (error: unknown): boolean => error instanceof DependencyError && error.code === "EB001";

function outcomeOf(outcome: RecordOutcome | undefined): RecordOutcome {
  if (!outcome) throw new Error("fewer outcomes than submissions");
  return outcome;
}

async function recordOnce(
  deps: RecordDeps,
  game: string,
  sent: readonly NewSubmission[],
  origin: Origin,
  revision: number | undefined,
) {
  try {
    return await deps.submissions.record(game, sent, origin, revision);
  } catch (error) {
    if (!isOutOfRange(error)) throw error;
    throw new DomainError("invalid", "A board's total would leave its bounds, and nothing was stored.", {
      errors: [{ pointer: "/values", detail: "would take a total out of its board's bounds" }],
    });
  }
}

/**
 * Outcomes in order, those that were refused before anything was written as DomainErrors; undefined when there is no such game. Throws
 * DomainError `unavailable`: a retry with the same keys is safe then.
 */
export async function record(
  deps: RecordDeps,
  game: string,
  submissions: readonly NewSubmission[],
  origin: Origin,
): Promise<readonly (RecordOutcome | DomainError)[] | undefined> {
  let nowMs = deps.clock.now();
  for (let tries = 1; tries <= MOST_TRIES; tries += 1) {
    const { revision, boards } = known.get(game) ?? NONE;
    const prepared = submissions.map((submission) => prepare(submission, { revision, boards }, nowMs));
    const sent = prepared.filter((one): one is NewSubmission => !(one instanceof DomainError));
    const recording = await orUnavailable(recordOnce(deps, game, sent, origin, revision), NOT_STORED);
    if (!recording) return undefined;
    if (recording.kind === "recorded") {
      const outcomes = recording.outcomes.values();
      return prepared.map((one) => (one instanceof DomainError ? one : outcomeOf(outcomes.next().value)));
    }
    if (recording.kind === "other-boards") known.set(game, recording.known);
    else {
      nowMs = recording.nowMs;
      await orUnavailable(ensurePeriods(deps, game, wantedPeriods(sent, nowMs)), NOT_STORED);
    }
  }
  throw new DomainError("unavailable", NOT_STORED, { retryAfterSeconds: 1 });
}

/** The boards of a game that this isolate knows, by the name that their keys begin with. */
export const knownBoards = (game: string): KnownBoards => known.get(game) ?? NONE;
