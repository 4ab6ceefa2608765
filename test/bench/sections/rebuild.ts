/** How fast an empty Redis is filled from Postgres on the path of `npm run rebuild`. */
import pg from "pg";
import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { ROOT } from "../../../local/paths.ts";
import { seedPlayers } from "../../faults/seed.ts";
import type { BenchStack } from "../bench-stack.ts";
import { figure } from "../rounds.ts";
import type { Section } from "../report.ts";

const GOAL_PLAYERS_PER_SECOND = 100_000;

/** Every seeded player is on the week's board and on the all-time one; two in three are on a country's as well. */
const COUNTED_BOARDS = 2;

/** Players a second, by the tool's own clock: from its first question to the game being open. */
async function rebuild(bench: BenchStack, game: string): Promise<number> {
  const main = path.join(ROOT, "tools", "rebuild", "main.ts");
  const env = { PATH: process.env["PATH"], DATA_DIR: bench.stack.dataDir };
  const args = ["--disable-warning=ExperimentalWarning", main, "--game", game];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env });
  const rate = /, ([\d,]+) a second/.exec(stdout)?.[1];
  if (rate === undefined) throw new Error(`the rebuild says no rate:\n${stdout}`);
  return Number(rate.replaceAll(",", "")) / COUNTED_BOARDS;
}

export async function benchRebuild(
  bench: BenchStack,
  rounds: number,
  players: number,
  say: (line: string) => void,
): Promise<Section> {
  const postgres = new pg.Pool({ connectionString: bench.stack.info.databaseUrl, max: 1 });
  const game = await bench.freshGame();
  say(`${players.toLocaleString("en")} players into Postgres`);
  await seedPlayers({ postgres }, game, players);
  await postgres.end();
  const rates: number[] = [];
  for (let round = 1; round <= rounds; round++) {
    say(`round ${round} of ${rounds}: rebuild`);
    await bench.removeFromRedis(game);
    rates.push(await rebuild(bench, game));
  }
  return {
    title: `Rebuild of ${players.toLocaleString("en")} players (week, country, all-time)`,
    lines: [
      {
        name: "players, each on the boards of the week and of all time, most on a country's",
        unit: "players/s",
        figure: figure(rates),
        goal: { atLeast: GOAL_PLAYERS_PER_SECOND },
      },
    ],
  };
}
