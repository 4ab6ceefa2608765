/** One game as tests use it: calls whose answers are parsed by the contract. */
import { expect } from "vitest";
import {
  AroundResponse,
  PlayersCountResponse,
  StandingResponse,
  TopResponse,
} from "../../functions/contract/boards.ts";
import { FeedResponse } from "../../functions/contract/feed.ts";
import { BadgesResponse } from "../../functions/contract/players.ts";
import { Problem, PROBLEM_TYPE_PREFIX, PROBLEMS, type ProblemCode } from "../../functions/contract/problem.ts";
import { BatchResponse, ScoreResponse } from "../../functions/contract/scores.ts";
import { call, freshGame, type Answer } from "./api.ts";

export type GameClient = ReturnType<typeof gameOf>;

/** A query string with its `?`; empty without parameters. */
function queryOf(parameters: Readonly<Record<string, string | number | undefined>>): string {
  const given = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return given.length === 0 ? "" : `?${new URLSearchParams(given).toString()}`;
}

/** The answer's body, which must be a problem+json of this code; its form is checked to the last field. */
export function problemOf(answer: Answer, code: ProblemCode): Problem {
  const problem = Problem.strict().parse(answer.body);
  expect(problem.type).toBe(PROBLEM_TYPE_PREFIX + code);
  expect(answer.status).toBe(PROBLEMS[code].status);
  expect(problem).toMatchObject({ status: answer.status, title: PROBLEMS[code].title });
  expect(answer.headers.get("content-type")).toBe("application/problem+json");
  expect(problem.requestId).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  expect(problem.instance).toBe(`urn:uuid:${problem.requestId}`);
  return problem;
}

/** JSON pointers (or parameter names) of what a validation problem complains of. */
export function pointersOf(problem: Problem): string[] {
  return (problem.errors ?? []).map((error) => error.pointer);
}

/** The body of an answer that must be a 200. */
function okBody(answer: Answer): unknown {
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body;
}

export function gameOf(id: string) {
  const base = `/v1/games/${id}`;
  const boards = (board: string) => `${base}/boards/${board}`;
  return {
    id,
    base,
    /** POST /scores; the answer as it is. */
    post: (body: unknown, key?: string): Promise<Answer> =>
      call(`${base}/scores`, { body, headers: key === undefined ? {} : { "idempotency-key": key } }),
    /** POST /scores that must be accepted; without a country, unless one is given. */
    async submit(body: Readonly<Record<string, unknown>>, key?: string): Promise<ScoreResponse> {
      const answer = await this.post({ country: "XX", ...body }, key);
      expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(203);
      return ScoreResponse.strict().parse(answer.body);
    },
    async batch(submissions: readonly unknown[]) {
      return BatchResponse.parse(okBody(await call(`${base}/scores/batch`, { body: { submissions } }))).results;
    },
    async top(board = "current", query: { n?: number; country?: string; cursor?: string } = {}): Promise<TopResponse> {
      return TopResponse.strict().parse(okBody(await call(`${boards(board)}/top${queryOf(query)}`, { key: null })));
    },
    async standing(player: string, board = "current", country?: string): Promise<StandingResponse> {
      const path = `${boards(board)}/players/${encodeURIComponent(player)}${queryOf({ country })}`;
      return StandingResponse.strict().parse(okBody(await call(path, { key: null })));
    },
    async around(player: string, query: { k?: number; country?: string } = {}, board = "current") {
      const path = `${boards(board)}/around/${encodeURIComponent(player)}${queryOf(query)}`;
      return AroundResponse.strict().parse(okBody(await call(path, { key: null })));
    },
    async count(board = "current") {
      return PlayersCountResponse.strict().parse(okBody(await call(`${boards(board)}/players-count`, { key: null })));
    },
    async feed(query: { n?: number; cursor?: string } = {}): Promise<FeedResponse> {
      return FeedResponse.strict().parse(okBody(await call(`${base}/feed${queryOf(query)}`, { key: null })));
    },
    async badges(player: string) {
      const answer = await call(`${base}/players/${encodeURIComponent(player)}/badges`, { key: null });
      return BadgesResponse.strict().parse(okBody(answer)).badges;
    },
  };
}

/** A game of the calling test's own. */
export async function newGame(config: Readonly<Record<string, unknown>> = {}): Promise<GameClient> {
  return gameOf(await freshGame(config));
}

/** The results of a batch that must all have been accepted. */
export function accepted(results: readonly (ScoreResponse | Problem)[]): ScoreResponse[] {
  return results.map((result) => ScoreResponse.parse(result));
}
