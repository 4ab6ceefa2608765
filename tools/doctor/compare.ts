/** Compares boards in Redis with Postgres, entry by entry: members and raw scores byte for byte. */
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { boardKey } from "../../functions/adapters/redis/keys.ts";
import type { RedisClient } from "../../functions/adapters/redis/client.ts";
import { isWhole, wholeOf, withParts, type Board } from "../../functions/domain/board/board.ts";
import { expectedOf, expectedPages, type Expected } from "./expected.ts";
import type { Stores } from "./stores.ts";
import { chunks } from "../../functions/domain/page.ts";

export type Difference = {
  readonly board: Board;
  readonly player: string;
  readonly kind: "wrong" | "missing" | "extra";
};

const SCAN = 10_000;
const LOOK_UP = 1_000;
/** A submission on its way shows as a difference for a moment. */
export const LOOKS = 3;
export const LOOK_AGAIN_MS = 700;

const scanReply = z.tuple([z.string(), z.array(z.string())]);
const scoresReply = z.array(z.string().nullable());

/** Whether, and with what score, Postgres has a player on a board. */
const scoreOn = (board: Board, entry: Expected | undefined) =>
  entry && (isWhole(board) || board.country === entry.country) ? entry.score : undefined;

function judge(held: number | undefined, wanted: number | undefined): Difference["kind"] | undefined {
  if (held === wanted) return undefined;
  if (wanted === undefined) return "extra";
  return held === undefined ? "missing" : "wrong";
}

async function heldOf(redis: RedisClient, key: string, players: readonly string[]): Promise<(number | undefined)[]> {
  const scores = scoresReply.parse(await redis.command(["ZMSCORE", key, ...players]));
  return scores.map((score) => (score === null ? undefined : Number(score)));
}

/** Every entry of a board in Redis, in no order; one that moves meanwhile may come twice. */
async function* scan(redis: RedisClient, key: string) {
  let cursor = "0";
  do {
    const [next, flat] = scanReply.parse(await redis.command(["ZSCAN", key, cursor, "COUNT", String(SCAN)]));
    const page: [string, number][] = [];
    for (let i = 0; i < flat.length; i += 2) page.push([flat[i] ?? "", Number(flat[i + 1])]);
    yield page;
    cursor = next;
  } while (cursor !== "0");
}

/** The differences among `players` of one board, each looked at again until it is gone or has stayed. */
export async function look({ postgres, redis }: Stores, game: string, board: Board, players: Iterable<string>) {
  let suspects = [...new Set(players)];
  let found: Difference[] = [];
  for (let n = 0; n < LOOKS && suspects.length > 0; n += 1) {
    if (n > 0) await sleep(LOOK_AGAIN_MS);
    found = [];
    for (const some of chunks(suspects, LOOK_UP)) {
      // Redis first: it never knows more than Postgres, so what Postgres says a moment later is at least that.
      const held = await heldOf(redis, boardKey(game, board), some);
      const wanted = await expectedOf(postgres, game, wholeOf(board), some);
      for (const [i, player] of some.entries()) {
        const kind = judge(held[i], scoreOn(board, wanted.get(player)));
        if (kind) found.push({ board, player, kind });
      }
    }
    suspects = found.map(({ player }) => player);
  }
  return found;
}

const hasAny = async (redis: RedisClient, key: string) => z.int().parse(await redis.command(["ZCARD", key])) > 0;

/** Members of one board in Redis that differ from `wanted`, and those of `wanted` that it lacks. */
async function suspectsOf(redis: RedisClient, key: string, wanted: ReadonlyMap<string, Expected>): Promise<string[]> {
  if (!(await hasAny(redis, key))) return [...wanted.keys()];
  const held = new Set<string>();
  const suspects: string[] = [];
  for await (const page of scan(redis, key)) {
    for (const [player, score] of page) {
      held.add(player);
      if (score !== wanted.get(player)?.score) suspects.push(player);
    }
  }
  if (held.size === wanted.size && suspects.length === 0) return suspects;
  for (const player of wanted.keys()) if (!held.has(player)) suspects.push(player);
  return suspects;
}

/** Every entry of a board and of its country boards; `seen` counts the players that were read. */
export async function compareFully(stores: Stores, game: string, whole: Board, seen: (players: number) => void) {
  const all = new Map<string, Expected>();
  const ofCountry = new Map<string, Map<string, Expected>>();
  for await (const page of expectedPages(stores.postgres, game, whole)) {
    for (const [player, entry] of page) {
      all.set(player, entry);
      if (entry.country === undefined) continue;
      const country = ofCountry.get(entry.country) ?? new Map<string, Expected>();
      ofCountry.set(entry.country, country.set(player, entry));
    }
    seen(page.size);
  }
  const compared = withParts(whole).map(async (board) => {
    const { country } = board;
    const wanted = country === undefined ? all : (ofCountry.get(country) ?? new Map<string, Expected>());
    return look(stores, game, board, await suspectsOf(stores.redis, boardKey(game, board), wanted));
  });
  return (await Promise.all(compared)).flat();
}
