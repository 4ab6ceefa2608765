/** Entries on boards that games define, against the rules of functions/domain/board/folds.ts, by random definitions and submissions. */
import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { expect, it } from "vitest";
import { z } from "zod";
import { BatchResponse, ScoreResponse } from "../../functions/contract/scores.ts";
import { BoardDefinition } from "../../functions/contract/board-definitions.ts";
import { fold, type Standing } from "../../functions/domain/board/folds.ts";
import { instantOf } from "../../functions/domain/board/packing.ts";
import { packingOf, ruleOf, type BoardRule } from "../../functions/domain/board/rule.ts";
import { contributionOf, valueOf } from "../../functions/domain/board/strength.ts";
import { call, freshGame } from "../harness/api.ts";
import { openStores } from "../harness/stores.ts";

const HISTORIES = process.env["EDGEBOARD_LONG"] === "1" ? 1_000 : 25;
const { postgres } = openStores();
const PERIOD = { startsAtMs: -Infinity, endsAtMs: Infinity };

const valueBounds = fc.constantFrom(
  { min: 0, max: 30, decimals: 0 },
  { min: -20, max: 20, decimals: 0 },
  { min: -2.5, max: 2.5, decimals: 1 },
  { min: 0, max: 2 ** 40, decimals: 0 },
);
/** A count has no other values, and more of them is better. */
const COUNT = { order: "desc" as const, value: { min: 0, max: 30, decimals: 0 } };
const definition = fc
  .record({
    order: fc.constantFrom("asc" as const, "desc" as const),
    aggregation: fc.constantFrom("best" as const, "last" as const, "sum" as const, "count" as const),
    value: valueBounds,
  })
  .map((rule) => ({ statistic: "it", ...rule, ...(rule.aggregation === "count" ? COUNT : {}) }));
const submission = fc.record({
  player: fc.constantFrom("ada", "ben", "cyd"),
  it: fc.oneof(fc.integer({ min: -20, max: 20 }), fc.constantFrom(0, 0.5, -2.5, 2.5, 30)),
  minutesAgo: fc.option(fc.integer({ min: 0, max: 3 })),
});
const history = fc.record({
  definitions: fc.array(definition, { minLength: 1, maxLength: 4 }),
  calls: fc.array(fc.array(submission, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 12 }),
});
type Sent = { readonly player: string; readonly it: number };

/** What the players hold on each board, submission after submission. */
class Model {
  readonly #rules: readonly BoardRule[];
  readonly standings = new Map<string, Standing>();
  constructor(rules: readonly BoardRule[]) {
    this.#rules = rules;
  }

  isTaken = ({ it: value }: Sent): boolean =>
    this.#rules.every((rule) => contributionOf(rule, { it: value }).kind === "taken");

  /** Best and whether it counted, by board. */
  take({ player, it: value }: Sent, id: string, atMs: number): { best: number | null; counted: boolean }[] {
    return this.#rules.map((rule, board) => {
      const taken = contributionOf(rule, { it: value });
      if (taken.kind !== "taken") throw new Error("asked before");
      const key = `b${board}.all ${player}`;
      const folded = fold(rule, packingOf(rule, PERIOD), this.standings.get(key), taken.contribution, { atMs, id });
      if (folded.kind !== "refused") this.standings.set(key, folded.standing);
      const held = this.standings.get(key);
      return { best: held ? valueOf(rule, held.strength) : null, counted: folded.kind !== "refused" };
    });
  }

  entries() {
    return [...this.standings].map(([key, { strength, tick }]) => {
      const rule = this.#rules[Number(/^b(\d)/.exec(key)?.[1])];
      if (!rule) throw new Error(key);
      return [key, strength, new Date(instantOf(packingOf(rule, PERIOD), tick)).toISOString()];
    });
  }
}

async function stored(game: string) {
  const text = "select board || ' ' || player as key, points, achieved_at from bests where game = $1";
  const row = z.object({ key: z.string(), points: z.coerce.number(), achieved_at: z.date() });
  const rows = z.array(row).parse((await postgres.query(text, [game])).rows);
  return rows.map(({ key, points, achieved_at }) => [key, points, achieved_at.toISOString()]);
}

const byKey = (a: readonly unknown[], b: readonly unknown[]) => (String(a[0]) < String(b[0]) ? -1 : 1);

async function play({ definitions, calls }: typeof history extends fc.Arbitrary<infer H> ? H : never): Promise<void> {
  const game = await freshGame();
  const rules = definitions.map((body) => ruleOf(BoardDefinition.parse(body)));
  for (const [i, body] of definitions.entries()) {
    expect((await call(`/v1/games/${game}/boards/b${i}`, { method: "PUT", body })).status).toBe(201);
  }
  const model = new Model(rules);
  for (const sent of calls) {
    const submissions = sent.map(({ player, it: value, minutesAgo }) => ({
      player,
      values: { it: value },
      idempotencyKey: randomUUID(),
      ...(minutesAgo === null ? {} : { submittedAt: new Date(Date.now() - minutesAgo * 60_000).toISOString() }),
    }));
    const { body } = await call(`/v1/games/${game}/scores/batch`, { method: "POST", body: { submissions } });
    const { results } = BatchResponse.parse(body);
    const expected = new Map<string, unknown>();
    const accepted = sent.flatMap((one, i) => {
      const answer = ScoreResponse.safeParse(results[i]);
      expect(answer.success, JSON.stringify(results[i])).toBe(model.isTaken(one));
      return answer.success ? [{ one, answer: answer.data }] : [];
    });
    const inOrder = accepted.toSorted((a, b) => (a.answer.submissionId < b.answer.submissionId ? -1 : 1));
    for (const { one, answer } of inOrder) {
      expected.set(answer.submissionId, model.take(one, answer.submissionId, Date.parse(answer.submittedAt)));
    }
    for (const { answer } of accepted)
      expect(answer.boards).toMatchObject(z.array(z.unknown()).parse(expected.get(answer.submissionId)));
  }
  expect((await stored(game)).sort(byKey)).toEqual(model.entries().sort(byKey));
}

it("Postgres folds as the rules say, whatever is defined and comes, alone and in batches", async () => {
  await fc.assert(fc.asyncProperty(history, play), { numRuns: HISTORIES });
}, 600_000);
