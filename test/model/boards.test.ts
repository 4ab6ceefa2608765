import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openStores } from "../harness/stores.ts";
import { planOf, type Command } from "./plan.ts";
import { Run } from "./run.ts";

const stores = openStores();

const LONG = process.env["EDGEBOARD_LONG"] === "1";
/** Commands that one run of this file plays at least. */
const COMMANDS = Number(process.env["EDGEBOARD_COMMANDS"] ?? (LONG ? 100_000 : 400));
/** Games at a time: the stack is never idle, and games must not disturb each other. */
const AT_A_TIME = 4;
const MOST_COMMANDS_OF_A_GAME = 100;
const GAMES_OF_A_CHECK = 5;
const LONGEST_CHECK_MS = Number(process.env["EDGEBOARD_CHECK_MS"] ?? 300_000);
const SEED = Number(process.env["EDGEBOARD_SEED"] ?? Date.now() % 1_000_000_000);
/** Replays one failure: set it, and EDGEBOARD_SEED, to what fast-check printed. */
const PATH = process.env["EDGEBOARD_PATH"];

let commands = 0;

async function check(seed: number, path?: string): Promise<void> {
  const property = fc.asyncProperty(planOf(MOST_COMMANDS_OF_A_GAME), async (plan: readonly Command[]) => {
    const run = await Run.start(stores);
    try {
      await run.play(plan);
    } finally {
      commands += run.commands;
    }
  });
  await fc.assert(property, {
    seed,
    numRuns: GAMES_OF_A_CHECK,
    ...(path === undefined ? {} : { path }),
    // Looking for a smaller failure plays whole games again.
    interruptAfterTimeLimit: LONGEST_CHECK_MS,
  });
}

describe("boards", () => {
  it(
    `agree with a plain list of submissions after every one of ${COMMANDS} commands`,
    async () => {
      console.log(`model: EDGEBOARD_SEED=${SEED}`);
      if (PATH !== undefined) return check(SEED, PATH);
      let next = SEED;
      try {
        await Promise.all(
          Array.from({ length: AT_A_TIME }, async () => {
            while (commands < COMMANDS) await check(next++);
          }),
        );
      } finally {
        console.log(`model: ${commands} commands, seeds ${SEED} to ${next - 1}`);
      }
      expect(commands).toBeGreaterThanOrEqual(COMMANDS);
    },
    LONG ? 4 * 3_1_200_000 : 1_200_000,
  );
});
