import { Redis } from "@upstash/redis";
import { expect, test } from "vitest";
import { exactnessComplaints } from "../../tools/deploy/exactness.ts";
import { connectRedis, functionNames, libraryComplaints, putLibrary } from "../../tools/deploy/library.ts";
import { libraryText } from "../../lua/library.ts";
import { releaseOf } from "../../lua/loader.ts";
import { stack } from "../harness/stack.ts";

const text = libraryText();
const connect = () =>
  connectRedis({ UPSTASH_REDIS_REST_URL: stack().upstashUrl, UPSTASH_REDIS_REST_TOKEN: stack().upstashToken });

/** This Redis, except that what it answers to some commands passes through `change`. */
function distorted(change: (command: readonly unknown[], answer: unknown) => unknown): Redis {
  const redis = connect();
  const exec = redis.exec.bind(redis);
  return Object.assign(redis, { exec: async (command: [string]) => change(command, await exec(command)) });
}

test("the library is loaded, found complete by FUNCTION LIST, and never replaced by an older release", async () => {
  const redis = connect();
  expect(["loaded", "current"]).toContain(await putLibrary(redis, text, "redis"));
  expect(await putLibrary(redis, text, "redis")).toBe("current");
  expect(await libraryComplaints(redis, text, "redis")).toEqual([]);
  const older = text.replace(/^local RELEASE = \d+$/m, `local RELEASE = ${releaseOf(text) - 1}`);
  expect(await putLibrary(redis, older, "redis")).toBe("newer");
  expect(await libraryComplaints(redis, text, "redis")).toEqual([]);
});

test("a function that is missing, a flag that is missing and an old release hold traffic back", async () => {
  const redis = connect();
  await putLibrary(redis, text, "redis");
  const more = `${text}\nregister('tomorrow', 2, release)\n`.replace(/^local RELEASE = \d+$/m, "local RELEASE = 99999");
  expect(await libraryComplaints(redis, more, "redis")).toEqual([
    "lb_tomorrow_v2 is not registered",
    `release is ${releaseOf(text)}, not 99999`,
  ]);
  const flags = await libraryComplaints(redis, text, "upstash");
  expect(flags).toHaveLength(functionNames(text).length);
  expect(flags[0]).toContain("lacks the flag allow-key-locking");
  const empty = distorted((command, answer) => (command[0] === "FUNCTION" ? [] : answer));
  expect(await libraryComplaints(empty, text, "redis")).toEqual(["FUNCTION LIST does not show leaderboard_v2"]);
});

test("redis-server ranks exactly, and the check leaves no key", async () => {
  const redis = connect();
  await putLibrary(redis, text, "redis");
  expect(await exactnessComplaints(redis, Date.now())).toEqual([]);
  expect(await redis.exec(["KEYS", "lb:{deploy-check-*"])).toEqual([]);
});

test("a store that rounds doubles to sixteen digits is found out", async () => {
  const rounding = distorted(([name], answer) => (name === "ZSCORE" ? Number(answer).toPrecision(16) : answer));
  const complaints = await exactnessComplaints(rounding, Date.now());
  expect(complaints.length).toBeGreaterThan(0);
  expect(complaints[0]).toMatch(/^ZADD .* came back as/);
});
