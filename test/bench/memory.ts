/**
 * Bytes per player that Redis needs for each board, counted by Redis itself: `node test/bench/memory.ts [players…]`
 * (100,000 and 1,000,000 unless given). A private redis-server for each figure, boards filled by lb_fill_v2.
 */
import type { Redis } from "ioredis";
import { startRedis } from "../lua/redis-server.ts";
import { engineOf, type Engine, type Entry } from "../lua/engine.ts";
import { WEEK, type Board } from "../lua/keys.ts";

const PAGE = 1000;
const IDS: Record<string, (i: number) => string> = {
  "8 digits": (i) => String(10_000_000 + i),
  "uuid (36)": (i) => `6f9619ff-8b86-4d01-b42d-${String(i).padStart(12, "0")}`,
};
const BOARDS: Record<string, (engine: Engine) => Board> = {
  weekly: ({ keys }) => keys.board(WEEK),
  "a country": ({ keys }) => keys.country(WEEK, "DE"),
  "all-time": ({ keys }) => keys.allTime,
};

/** Spread over points and seconds without a random source, so that two runs build the same board. */
function entry(i: number, idOf: (i: number) => string): Entry {
  const scattered = (i * 2_654_435_761) % 2 ** 32;
  return { player: idOf(i), points: scattered * 2, at: WEEK.start + (scattered % 604_800) };
}

async function usedMemory(redis: Redis): Promise<number> {
  const match = /^used_memory:(\d+)/m.exec(await redis.info("memory"));
  return Number(match?.[1]);
}

async function bytesOf(
  players: number,
  boardOf: (engine: Engine) => Board,
  idOf: (i: number) => string,
): Promise<number> {
  const server = await startRedis();
  try {
    const engine = engineOf(server.redis);
    const board = boardOf(engine);
    const before = await usedMemory(server.redis);
    for (let first = 0; first < players; first += PAGE) {
      const size = Math.min(PAGE, players - first);
      await engine.fill(
        board,
        Array.from({ length: size }, (_, i) => entry(first + i, idOf)),
      );
    }
    return (await usedMemory(server.redis)) - before;
  } finally {
    await server.stop();
  }
}

const sizes = process.argv.slice(2).map(Number);
console.log("| players | id | board | bytes | bytes a player |\n| ---: | --- | --- | ---: | ---: |");
for (const players of sizes.length > 0 ? sizes : [100_000, 1_000_000]) {
  for (const [id, idOf] of Object.entries(IDS)) {
    for (const [name, boardOf] of Object.entries(BOARDS)) {
      const bytes = await bytesOf(players, boardOf, idOf);
      console.log(`| ${players} | ${id} | ${name} | ${bytes} | ${(bytes / players).toFixed(1)} |`);
    }
  }
}
