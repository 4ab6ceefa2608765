/** Plays a plan against one game of the real stack and against the model, and compares after every command. */
import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { startOf, weekOf } from "../../functions/domain/board/week.ts";
import { Problem, PROBLEM_TYPE_PREFIX, type ProblemCode } from "../../functions/contract/problem.ts";
import { ScoreResponse } from "../../functions/contract/scores.ts";
import { call } from "../harness/api.ts";
import { newGame, problemOf, type GameClient } from "../harness/game.ts";
import type { openStores } from "../harness/stores.ts";
import {
  checkAround,
  checkFeed,
  checkStanding,
  checkStores,
  checkTop,
  checkWholeApi,
  healFromNothing,
  settled,
} from "./checks.ts";
import type { Row } from "./model.ts";
import { COUNTRIES, PLAYERS, type Command, type Score } from "./plan.ts";
import { World, type Body, type Sent } from "./world.ts";

const DAY_MS = 86_400_000;

type Stores = ReturnType<typeof openStores>;

function bodyOf(score: Score, nowMs: number): Body {
  const week = weekOf(nowMs - score.week * 7 * DAY_MS);
  const atMs = startOf(week) + 3 * DAY_MS + score.second * 1000 + score.ms;
  return {
    player: PLAYERS[score.player] ?? "a",
    points: score.points,
    country: COUNTRIES[score.country] ?? "XX",
    ...(score.week === 0 ? {} : { submittedAt: new Date(atMs).toISOString() }),
  };
}

function isProblem(result: unknown, code: ProblemCode): void {
  expect(Problem.parse(result).type).toBe(PROBLEM_TYPE_PREFIX + code);
}

export class Run {
  readonly #game: GameClient;
  readonly #stores: Stores;
  readonly #world = new World();
  /** Commands played. */
  commands = 0;

  private constructor(game: GameClient, stores: Stores) {
    this.#game = game;
    this.#stores = stores;
  }

  static async start(stores: Stores): Promise<Run> {
    return new Run(await newGame(), stores);
  }

  async play(plan: readonly Command[]): Promise<void> {
    for (const command of plan) {
      await this.#perform(command);
      this.commands += 1;
      await settled(this.#world, () => checkStores(this.#game, this.#stores, this.#world));
    }
    await settled(this.#world, () => checkWholeApi(this.#game, this.#world));
    await healFromNothing(this.#game, this.#stores, this.#world);
  }

  async #perform(command: Command): Promise<void> {
    switch (command.do) {
      case "submit":
        return this.#submit(bodyOf(command.score, Date.now()));
      case "batch":
        return this.#batch(command.scores, command.sharedKey);
      case "replay":
        return this.#replay(this.#pick(command.of), command.batched);
      case "reuse-key":
        return this.#reuseKey(this.#pick(command.of));
      case "spoil":
        return this.#spoil({ ...bodyOf(command.score, Date.now()), points: command.points });
      case "remove":
        return this.#remove(this.#pick(command.of));
      case "ban":
      case "unban":
      case "delete-player":
        return this.#moderate(command.do, PLAYERS[command.player] ?? "a");
      case "lose-redis":
        return healFromNothing(this.#game, this.#stores, this.#world);
    }
  }

  #pick(of: number): Sent | undefined {
    return this.#world.sent[of % Math.max(1, this.#world.sent.length)];
  }

  /** Adds an accepted submission to the model and compares its answer with it, apart from ranks. */
  #accept(body: Body, key: string, answer: ScoreResponse): void {
    const row: Row = {
      submissionId: answer.submissionId,
      player: body.player,
      points: body.points,
      atMs: Date.parse(answer.submittedAt),
      week: answer.week,
      country: body.country === "XX" ? undefined : body.country,
    };
    expect(answer.submittedAt).toBe(body.submittedAt ?? answer.submittedAt);
    expect(answer.week).toBe(weekOf(row.atMs));
    const { week, allTime } = this.#world.accept({ body, key, row });
    expect(answer).toMatchObject({
      ...week,
      player: row.player,
      points: row.points,
      replayed: false,
      ranked: true,
      allTime: { improved: allTime.improved, best: allTime.best },
    });
  }

  async #submit(body: Body): Promise<void> {
    const key = randomUUID();
    const answer = await this.#game.post(body, key);
    const refusal = this.#world.refusal(body.player);
    if (refusal) {
      problemOf(answer, refusal);
      return;
    }
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    const parsed = ScoreResponse.parse(answer.body);
    this.#accept(body, key, parsed);
    expect(parsed).toMatchObject(this.#world.standing(parsed.week, parsed.player));
    await this.#look(parsed.week, parsed.player);
  }

  async #batch(scores: readonly Score[], sharedKey: boolean): Promise<void> {
    const nowMs = Date.now();
    const keys = scores.map(() => randomUUID());
    const items = scores.map((score, i) => ({ body: bodyOf(score, nowMs), key: keys[sharedKey ? 0 : i] ?? "" }));
    const results = await this.#game.batch(items.map(({ body, key }) => ({ ...body, idempotencyKey: key })));
    // One key of two players is two keys; a player's second use of it is a replay or a conflict.
    const firsts = new Map<string, string>();
    const parsed: ScoreResponse[] = [];
    for (const [i, { body, key }] of items.entries()) {
      const [use, text] = [`${key} ${body.player}`, JSON.stringify(body)];
      const first = firsts.get(use) ?? text;
      firsts.set(use, first);
      const refusal = this.#world.refusal(body.player) ?? (first === text ? undefined : "idempotency-conflict");
      if (refusal) {
        isProblem(results[i], refusal);
        continue;
      }
      const result = ScoreResponse.parse(results[i]);
      const known = this.#world.sent.find(({ row }) => row.submissionId === result.submissionId);
      if (known) expect([known.key, result.replayed]).toEqual([key, true]);
      else this.#accept(body, key, result);
      parsed.push(result);
    }
    for (const result of parsed) {
      expect(result).toMatchObject(this.#world.standing(result.week, result.player));
    }
    const last = parsed.at(-1);
    if (last) await this.#look(last.week, last.player);
  }

  async #replay(sent: Sent | undefined, batched: boolean): Promise<void> {
    if (!sent) return;
    const answer = batched
      ? (await this.#game.batch([{ ...sent.body, idempotencyKey: sent.key }]))[0]
      : (await this.#game.post(sent.body, sent.key)).body;
    const refusal = this.#world.refusalOfRetry(sent);
    if (refusal) {
      isProblem(answer, refusal);
      return;
    }
    const parsed = ScoreResponse.parse(answer);
    const { submissionId } = sent.row;
    expect(parsed).toMatchObject({ submissionId, replayed: true, ranked: true });
    expect(parsed).toMatchObject(this.#world.standing(parsed.week, parsed.player));
  }

  async #reuseKey(sent: Sent | undefined): Promise<void> {
    if (!sent) return;
    const other = { ...sent.body, points: sent.body.points === 0 ? 1 : sent.body.points - 1 };
    const known = this.#world.knows(sent);
    const refusal = known ? "idempotency-conflict" : this.#world.refusal(sent.row.player);
    problemOf(await this.#game.post(other, sent.key), refusal ?? "internal");
  }

  async #spoil(body: Body): Promise<void> {
    problemOf(await this.#game.post(body), "invalid");
  }

  async #remove(sent: Sent | undefined): Promise<void> {
    if (!sent) return;
    const path = `${this.#game.base}/submissions/${sent.row.submissionId}`;
    const answer = await call(path, { method: "DELETE" });
    if (!this.#world.knows(sent)) {
      problemOf(answer, "not-found");
      return;
    }
    expect(answer.status, JSON.stringify(answer.body)).toBe(204);
    this.#world.remove(sent);
    await this.#look(sent.row.week, sent.row.player);
  }

  async #moderate(action: "ban" | "unban" | "delete-player", player: string): Promise<void> {
    const path = `${this.#game.base}/players/${encodeURIComponent(player)}`;
    const method = action === "ban" ? "PUT" : "DELETE";
    const answer = await call(action === "delete-player" ? path : `${path}/ban`, { method });
    // A ban of a player who never submitted is noted for later, and the answer says so.
    const isNoted = action === "ban" && !this.#world.hasSubmitted(player);
    expect(answer.status, JSON.stringify(answer.body)).toBe(isNoted ? 202 : 204);
    if (action === "ban") this.#world.ban(player);
    else if (action === "unban") this.#world.unban(player);
    else this.#world.deletePlayer(player);
    await settled(this.#world, () => checkFeed(this.#game, this.#world));
  }

  /** What a command touched, through the API: top, around, standing, feed and all-time by turns. */
  #look(week: string, player: string): Promise<void> {
    const [game, world, turn] = [this.#game, this.#world, this.commands];
    const looks = [
      () => checkTop(game, world, week),
      () => checkAround(game, world, week, player, turn % 4),
      () => checkStanding(game, world, week, player),
      () => checkFeed(game, world),
      () => checkTop(game, world, "all-time"),
    ];
    return settled(world, looks[turn % looks.length] ?? (() => checkFeed(game, world)));
  }
}
