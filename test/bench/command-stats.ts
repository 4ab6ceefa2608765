/** What Redis itself counts: calls and microseconds by command. */
import type { Redis } from "ioredis";

/** Calls and microseconds by command since the last reset, administrative commands left out. */
export async function commandStats(redis: Redis): Promise<{ calls: number; fcallUs: number; fcalls: number }> {
  let calls = 0;
  let fcallUs = 0;
  let fcalls = 0;
  for (const line of (await redis.info("commandstats")).split("\n")) {
    const match = /^cmdstat_([^:]+):calls=(\d+),usec=(\d+)/.exec(line);
    const [, name = "", count = "0", us = "0"] = match ?? [];
    if (name === "" || name === "info" || name.startsWith("config")) continue;
    calls += Number(count);
    if (name === "fcall") [fcalls, fcallUs] = [Number(count), Number(us)];
  }
  return { calls, fcallUs, fcalls };
}

/** Microseconds that Redis spent in each of the FCALLs that `work` makes. */
export async function fcallMicroseconds(redis: Redis, work: () => Promise<void>): Promise<number> {
  await redis.config("RESETSTAT");
  await work();
  const { fcallUs, fcalls } = await commandStats(redis);
  return fcallUs / fcalls;
}
