import { expect, test } from "vitest";
import { parseRoomId } from "../../party/room-id.ts";
import { judge } from "../../party/viewer.ts";
import type { Window } from "../../party/viewer.ts";
import { NOW } from "./boards.ts";

test("a sync is a sync, everything else is ignored", () => {
  expect(judge(undefined, '{"type":"sync"}', NOW).type).toBe("sync");
  for (const noise of ["", "sync", '{"type":"top"}', "[1", "null", new ArrayBuffer(3)]) {
    expect(judge(undefined, noise, NOW).type).toBe("ignore");
  }
});

test("more than twenty messages in ten seconds end the connection, one every second does not", () => {
  const verdictsAt = (everyMs: number) => {
    let window: Window | undefined;
    for (let index = 0; index < 60; index++) {
      const verdict = judge(window, "x", NOW + index * everyMs);
      if (verdict.type === "close") return verdict.code;
      window = verdict.window;
    }
    return undefined;
  };
  expect(verdictsAt(100)).toBe(4008);
  expect(verdictsAt(1_000)).toBeUndefined();
});

test("a message over one kilobyte ends the connection", () => {
  expect(judge(undefined, "x".repeat(1_025), NOW)).toMatchObject({ type: "close", code: 4009 });
});

test("room ids name a game, a week and perhaps a shard", () => {
  expect(parseRoomId("my-game_2026-W42")).toMatchObject({
    game: "my-game",
    week: "2026-W42",
    shard: 0,
    next: "my-game_2026-W43",
  });
  expect(parseRoomId("my-game_2026-W53_s3")).toMatchObject({ shard: 3, next: "my-game_2027-W01_s3" });
});

test.each([
  "",
  "arena",
  "arena_2025-W53",
  "arena_2026-W42_s0",
  "arena_2026-W42_s64",
  "arena_2026-W42_s01",
  "Arena_2026-W42",
  "a_b_2026-W42",
  "__proto__",
])("%j is no room", (id) => expect(parseRoomId(id)).toBeUndefined());
