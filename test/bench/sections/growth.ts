/** How the cost of a call grows with the board: from ten thousand to ten million players, on a Redis of its own. */
import { fcallMicroseconds } from "../command-stats.ts";
import { REFERENCE_LIBRARY } from "../reference.ts";
import { figure, type Figure } from "../rounds.ts";
import type { Line, Section } from "../report.ts";
import { engineOf, nowUs, type Engine, type Item } from "../../lua/engine.ts";
import { WEEK } from "../../lua/keys.ts";
import { startRedis, type Server } from "../../lua/redis-server.ts";

const SIZES = [10_000, 100_000, 1_000_000, 10_000_000];
const CALLS = 2_000;
/** Calls on their way together: what a server does between two calls when it has nothing else to do is not the call's cost. */
const AT_ONCE = 20;
const SEED_PAGE = 50_000;
const COUNTRY = "DE";
const REFERENCE_KEYS = ["reference:scores", "reference:players"];

/** What a submission without a best has to ask Redis, by the keys and arguments of lb_submit_v2 and with nothing around it. */
const LIMIT_LIBRARY = `#!lua name=limit
redis.register_function('limit_commands', function(keys, args)
  local player = args[8]
  local rank = redis.call('ZREVRANK', keys[4], player)
  local country_rank = redis.call('ZREVRANK', keys[7], player)
  local all_time_rank = redis.call('ZREVRANK', keys[2], player)
  redis.call('XADD', keys[1], 'NOMKSTREAM', 'MAXLEN', '~', args[2], '*', 'submission', args[7], 'player', player,
    'points', args[9], 'best', args[12], 'rank', rank, 'week', args[4], 'at', args[10])
  return { rank, country_rank, all_time_rank }
end)`;

/** Weekly scores spread over points and seconds without a random source: two runs build the same board. */
const SEED = `
for i = tonumber(ARGV[1]), tonumber(ARGV[2]) do
  local scattered = (i * 2654435761) % 4294967296
  redis.call('ZADD', KEYS[1], string.format('%.0f', scattered * 1048576 + 1048575 - scattered % 604800), 'p' .. i)
end`;

async function usedMemory({ redis }: Server): Promise<number> {
  return Number(/^used_memory:(\d+)/m.exec(await redis.info("memory"))?.[1]);
}

/** Week, country and all-time board with the same players; how the two others order them makes no difference here. */
async function seed({ redis }: Server, engine: Engine, players: number): Promise<void> {
  const week = engine.keys.board(WEEK).key;
  for (let first = 1; first <= players; first += SEED_PAGE) {
    await redis.eval(SEED, 1, week, first, Math.min(players, first + SEED_PAGE - 1));
  }
  for (const copy of [engine.keys.country(WEEK, COUNTRY).key, engine.keys.allTime.key]) await redis.copy(week, copy);
  await engine.open();
}

type Sample = { readonly kind: string; readonly us: number };

/** One round of every kind of call on a board of this size. */
async function round(server: Server, engine: Engine, players: number, number: number): Promise<Sample[]> {
  const { redis } = server;
  const each = async (kind: string, call: (i: number) => Promise<unknown>): Promise<Sample> => {
    const us = await fcallMicroseconds(redis, async () => {
      for (let i = 0; i < CALLS; i += AT_ONCE)
        await Promise.all(Array.from({ length: AT_ONCE }, (_, n) => call(i + n)));
    });
    return { kind, us };
  };
  const known = (i: number) => `p${1 + ((i * 104_729 + number * 31) % players)}`;
  const points = (i: number) => (i * 2_654_435_761 + number * 97) % 2 ** 32;
  const submit = (item: Item) => engine.submit([{ country: COUNTRY, ...item }], WEEK);
  const commandsAlone = (player: string) => {
    const { keys, args } = engine.submitCall([{ player, points: 1, country: COUNTRY, flags: "" }], WEEK, nowUs());
    return redis.call("FCALL", "limit_commands", keys.length, ...keys, ...args);
  };
  const [scores = "", ids = ""] = REFERENCE_KEYS;
  return [
    await each("plain best-score function", (i) =>
      redis.call("FCALL", "reference_best", 2, scores, ids, `new-${number}-${i}`, points(i)),
    ),
    await each("first of the week", (i) => submit({ player: `new-${number}-${i}`, points: points(i) })),
    await each("the commands of a no best alone", (i) => commandsAlone(known(i))),
    await each("no best", (i) => submit({ player: known(i), points: 1, flags: "" })),
    await each("top 10", () => engine.top(engine.keys.board(WEEK))),
    await each("around, k = 5", (i) => engine.around(engine.keys.board(WEEK), known(i), 5)),
  ];
}

type Grown = { readonly players: number; readonly bytes: number; readonly us: ReadonlyMap<string, readonly number[]> };

async function measure(players: number, rounds: number): Promise<Grown> {
  const server = await startRedis();
  try {
    for (const library of [REFERENCE_LIBRARY, LIMIT_LIBRARY]) await server.redis.call("FUNCTION", "LOAD", library);
    const engine = engineOf(server.redis);
    const before = await usedMemory(server);
    await seed(server, engine, players);
    const bytes = (await usedMemory(server)) - before;
    await server.redis.copy(engine.keys.board(WEEK).key, REFERENCE_KEYS[0] ?? "");
    const us = new Map<string, number[]>();
    for (let number = 1; number <= rounds; number++) {
      for (const sample of await round(server, engine, players, number)) {
        us.set(sample.kind, [...(us.get(sample.kind) ?? []), sample.us]);
      }
    }
    return { players, bytes, us };
  } finally {
    await server.stop();
  }
}

const count = (players: number) => players.toLocaleString("en");

function ratio(name: string, above: readonly number[], below: readonly number[], atMost?: number): Line {
  const values: Figure = figure(above.map((value, i) => value / (below[i] ?? Number.NaN)));
  return { name, unit: "ratio", figure: values, goal: atMost === undefined ? undefined : { atMost } };
}

export async function benchGrowth(rounds: number, largest: number, say: (line: string) => void): Promise<Section> {
  const grown: Grown[] = [];
  for (const players of SIZES.filter((size) => size <= largest)) {
    say(`boards of ${count(players)} players`);
    grown.push(await measure(players, rounds));
  }
  const lines: Line[] = grown.flatMap(({ players, bytes, us }) => [
    ...[...us].map(([kind, values]) => ({
      name: `${kind}, ${count(players)} players`,
      unit: "µs per FCALL",
      figure: figure(values),
    })),
    {
      name: `memory of three boards, ${count(players)} players`,
      unit: "bytes per player",
      figure: figure([bytes / players]),
    },
  ]);
  const [first, last] = [grown[0], grown.at(-1)];
  const of = (size: Grown | undefined, kind: string) => size?.us.get(kind) ?? [];
  const toPlain = (kind: string, atMost?: number) =>
    ratio(
      `${kind} to the plain function, ${count(first?.players ?? 0)} players`,
      of(first, kind),
      of(first, "plain best-score function"),
      atMost,
    );
  lines.push(toPlain("the commands of a no best alone"));
  for (const kind of ["first of the week", "no best"]) {
    lines.push(
      toPlain(kind, 2),
      ratio(
        `${kind}, ${count(last?.players ?? 0)} to ${count(first?.players ?? 0)} players`,
        of(last, kind),
        of(first, kind),
        2,
      ),
    );
  }
  return { title: "Growth", lines };
}
