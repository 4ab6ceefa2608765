/**
 * Submissions of one game that meet in one isolate share a statement and a call to Redis (docs/decisions/0012). A submission that meets
 * nobody goes at once and alone; nothing here ever waits for company.
 */
import { DomainError } from "../../domain/errors.ts";
import type { Origin } from "./ports.ts";
import { submitScores, type SubmitDeps, type Submission, type SubmitResult } from "./submit-scores.ts";

/** Calls of one lane under way at a time: one at Postgres while the other is at Redis. */
const MOST_CALLS = 2;
const MOST_TOGETHER = 100;
/** A leader answers its own client first and goes on for others in `waitUntil`, which ends 30 s later. */
const LEAD_MS = 5_000;
/** More than both stores' deadlines together: by then the leader is gone, and the submission goes alone, safe by its key. */
const WAIT_MS = 8_000;

type Answer = SubmitResult | "go-yourself";
type Waiting = { readonly submission: Submission; readonly settle: (answer: Answer) => void };
type Call = { startedAtMs: number };

/** What may share a statement: the same game, kind of caller and strictness. Plain values, so requests may share them. */
type Lane = { readonly calls: Set<Call>; waiting: Waiting[] };

/** Bounded by the requests under way: the last call of a lane takes it out (`leadOthers`). */
const lanes = new Map<string, Lane>();

function laneOf(name: string): Lane {
  let lane = lanes.get(name);
  if (!lane) lanes.set(name, (lane = { calls: new Set(), waiting: [] }));
  return lane;
}

/** A call that outlived every deadline belonged to a request that was cancelled. */
function hasRoom(lane: Lane, nowMs: number): boolean {
  for (const call of lane.calls) if (nowMs - call.startedAtMs > WAIT_MS) lane.calls.delete(call);
  return lane.calls.size < MOST_CALLS;
}

/** The next submissions to go together, at most one a player: each answer then says what its own submission did. */
function takeGroup(lane: Lane): Waiting[] {
  const group: Waiting[] = [];
  const left: Waiting[] = [];
  const players = new Set<string>();
  for (const one of lane.waiting) {
    const fits = group.length < MOST_TOGETHER && !players.has(one.submission.player);
    (fits ? group : left).push(one);
    players.add(one.submission.player);
  }
  lane.waiting = left;
  return group;
}

/** A shared call that fails says nothing of one submission: each goes by itself then. */
async function submitGroup(deps: SubmitDeps, game: string, origin: Origin, group: readonly Waiting[]): Promise<void> {
  try {
    const submissions = group.map(({ submission }) => submission);
    const results = await submitScores(deps, game, submissions, origin);
    group.forEach(({ settle }, i) => settle(results[i] ?? "go-yourself"));
  } catch (error) {
    const shared = error instanceof DomainError && error.code === "unknown-game" ? error : "go-yourself";
    for (const { settle } of group) settle(shared);
  }
}

/** Submits for the requests that wait, until none does or another has to take over. */
async function leadOthers(deps: SubmitDeps, game: string, origin: Origin, name: string, call: Call): Promise<void> {
  const lane = laneOf(name);
  const endsAtMs = deps.clock.now() + LEAD_MS;
  while (lane.waiting.length > 0 && deps.clock.now() < endsAtMs) {
    call.startedAtMs = deps.clock.now();
    await submitGroup(deps, game, origin, takeGroup(lane));
  }
  lane.calls.delete(call);
  lane.waiting.shift()?.settle("go-yourself");
  if (lane.calls.size === 0 && lane.waiting.length === 0) lanes.delete(name);
}

async function lead(
  deps: SubmitDeps,
  game: string,
  origin: Origin,
  name: string,
  submission: Submission,
): Promise<SubmitResult> {
  const call: Call = { startedAtMs: deps.clock.now() };
  laneOf(name).calls.add(call);
  const own = submitScores(deps, game, [submission], origin);
  const done = own.then(
    () => undefined,
    () => undefined,
  );
  deps.background.keep(done.then(() => leadOthers(deps, game, origin, name, call)));
  const [result] = await own;
  if (!result) throw new Error("no result for a submission");
  return result;
}

/** As `submitScores` for one submission; the rank is read in the call that wrote it, after all that went with it. */
export async function submitTogether(
  deps: SubmitDeps,
  game: string,
  submission: Submission,
  origin: Origin,
): Promise<SubmitResult> {
  const name = `${game}\n${origin.caller}\n${origin.signingKey ?? ""}\n${origin.strict}`;
  const lane = laneOf(name);
  if (hasRoom(lane, deps.clock.now())) return lead(deps, game, origin, name, submission);
  const shared = new Promise<Answer>((settle) => lane.waiting.push({ submission, settle }));
  // Its own timer, too: workerd cancels a request as hung that waits for nothing but another one.
  const answer = await Promise.race([shared, deps.sleep(WAIT_MS).then((): Answer => "go-yourself")]);
  if (answer !== "go-yourself") return answer;
  lane.waiting = lane.waiting.filter((one) => one.submission !== submission);
  return lead(deps, game, origin, name, submission);
}
