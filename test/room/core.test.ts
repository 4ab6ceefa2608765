import { describe, expect, test } from "vitest";
import type { SocketMessage } from "../../functions/contract/live.ts";
import { step } from "../../party/core.ts";
import { initialState } from "../../party/state.ts";
import type { Effect, RoomEvent, RoomState, Stored } from "../../party/state.ts";
import { board, NOW, roomId } from "./boards.ts";

/** A room that is fed events, remembers its state, and is woken when it asked for it. */
function room(stored?: Stored, id = "arena_2026-W42") {
  let state: RoomState = initialState(roomId(id), stored, 0);
  let wakeAtMs = Infinity;
  const take = (event: RoomEvent, nowMs: number): readonly Effect[] => {
    const next = step(state, event, nowMs);
    state = next.state;
    for (const effect of next.effects) if (effect.type === "wake") wakeAtMs = effect.atMs;
    return next.effects;
  };
  return (event: RoomEvent, nowMs = NOW): readonly Effect[] => {
    while (wakeAtMs < nowMs) {
      const atMs = wakeAtMs;
      wakeAtMs = Infinity;
      take(ticked(state.audience), atMs);
    }
    return take(event, nowMs);
  };
}

function said(effects: readonly Effect[], type: "reply" | "broadcast"): SocketMessage[] {
  return effects.flatMap((effect) => (effect.type === type ? effect.messages : []));
}

/** What is done at once, apart from asking to be woken. */
const types = (effects: readonly Effect[]): string[] =>
  effects.map((effect) => effect.type).filter((type) => type !== "wake");
const connected: RoomEvent = { type: "connected" };
const ticked = (audience = 1): RoomEvent => ({ type: "ticked", audience });
const pushed = (version: number, shards?: number): RoomEvent => ({
  type: "pushed",
  push: { ...board(version, [["ada", version]]), ...(shards === undefined ? {} : { shards }) },
});

describe("a push", () => {
  test("is stored before it is sent", () => {
    const on = room();
    on(connected, NOW - 1_000);
    expect(types(on(pushed(1)))).toEqual(["store", "broadcast"]);
  });

  test("that is older or the same changes nothing and is not sent", () => {
    const on = room();
    on(connected, NOW - 1_000);
    on(pushed(5));
    expect(types(on(pushed(5), NOW + 100))).toEqual([]);
    expect(types(on(pushed(4), NOW + 200))).toEqual([]);
    expect(said(on({ type: "synced" }, NOW + 300), "reply")[0]).toMatchObject({ version: "5" });
  });

  test("with a longer version is newer, whatever its text", () => {
    const on = room();
    on(connected);
    on(pushed(9));
    expect(said(on(pushed(10), NOW + 100), "broadcast")[0]).toMatchObject({ version: "10" });
  });

  test("waits for its round, and only the last of a burst is sent", () => {
    const on = room();
    on(connected, NOW - 1_000);
    on(pushed(1));
    expect(on(pushed(2), NOW + 10)).toContainEqual({ type: "wake", atMs: NOW + 50 });
    on(pushed(3), NOW + 20);
    expect(said(on(ticked(), NOW + 50), "broadcast").filter((message) => message.type === "top")).toMatchObject([
      { version: "3" },
    ]);
    expect(types(on(ticked(), NOW + 100))).toEqual([]);
  });

  test("is kept without any viewer", () => {
    const on = room();
    expect(types(on(pushed(1)))).toEqual(["store"]);
    expect(said(on(connected, NOW + 1_000), "reply")[0]).toMatchObject({ version: "1" });
  });
});

describe("a viewer", () => {
  test("first gets the stored board, then the number of viewers, and the API is asked", () => {
    const on = room({ top: board(7, [["ada", 1]]), shards: 1 });
    const effects = on(connected);
    expect(said(effects, "reply").map((message) => message.type)).toEqual(["top", "viewers"]);
    expect(types(effects)).toContain("ask");
  });

  test("of a room without a board first gets what the API answers", () => {
    const on = room();
    expect(types(on(connected))).toEqual(["ask"]);
    const effects = on({ type: "answered", answer: { type: "top", top: board(3, [["ada", 1]]) } }, NOW + 300);
    expect(types(effects)).toEqual(["store", "broadcast"]);
    expect(said(effects, "broadcast")[0]).toMatchObject({ type: "top", version: "3" });
  });

  test("gets the newer board of the API when the room missed a push", () => {
    const on = room({ top: board(7, [["ada", 1]]), shards: 1 });
    on(connected);
    const effects = on({ type: "answered", answer: { type: "top", top: board(8, [["ada", 2]]) } }, NOW + 30);
    expect(said(effects, "broadcast")[0]).toMatchObject({ type: "top", version: "8" });
  });

  test("never makes the room ask more than once a second, and the last one is still asked for", () => {
    const on = room({ top: board(7, [["ada", 1]]), shards: 1 });
    const answer: RoomEvent = { type: "answered", answer: { type: "top", top: board(7, [["ada", 1]]) } };
    let questions = 0;
    for (let ms = 0; ms < 3_000; ms += 10) {
      const asked = types(on(connected, NOW + ms)).includes("ask");
      if (!asked) continue;
      questions += 1;
      on(answer, NOW + ms + 1);
    }
    expect(questions).toBe(3);
    expect(types(on(ticked(300), NOW + 3_000))).toContain("ask");
  });

  test("gets the last board although the last push was lost: the room asks when the pushes have stopped", () => {
    const on = room({ top: board(1, [["ada", 1]]), shards: 1 });
    on(connected, NOW - 5_000);
    on({ type: "answered", answer: { type: "top", top: board(1, [["ada", 1]]) } }, NOW - 4_900);
    for (let ms = 0; ms < 5_000; ms += 500) expect(types(on(pushed(10 + ms), NOW + ms))).not.toContain("ask");
    expect(types(on(ticked(), NOW + 4_500 + 2_000))).toContain("ask");
  });

  test("makes the room ask again, later and later, while the API is out", () => {
    const on = room();
    on(connected);
    const unavailable: RoomEvent = { type: "answered", answer: { type: "unavailable" } };
    expect(on(unavailable)).toContainEqual({ type: "wake", atMs: NOW + 2_000 });
    expect(types(on(ticked(), NOW + 2_000))).toContain("ask");
    expect(on(unavailable, NOW + 2_000)).toContainEqual({ type: "wake", atMs: NOW + 6_000 });
  });

  test("of a game that does not exist makes the room ask once", () => {
    const on = room();
    on(connected);
    expect(on({ type: "answered", answer: { type: "unknown-game" } })).toEqual([]);
  });

  test("who syncs gets the board, and the API is asked only when the board is not fresh", () => {
    const on = room();
    on(connected);
    on(pushed(1));
    expect(said(on({ type: "synced" }, NOW + 1_000), "reply")[0]).toMatchObject({ version: "1" });
    expect(types(on({ type: "synced" }, NOW + 14_000))).not.toContain("ask");
  });

  test("coming or going is told to the others a little later, at most once a second, as counted then", () => {
    const on = room({ top: board(1, [["ada", 1]]), shards: 1 });
    expect(on(connected)).toContainEqual({ type: "wake", atMs: NOW + 200 });
    expect(said(on(connected, NOW + 100), "broadcast")).toEqual([]);
    expect(said(on(ticked(2), NOW + 200), "broadcast")).toEqual([{ type: "viewers", viewers: 2 }]);
    on({ type: "left" }, NOW + 300);
    on({ type: "left" }, NOW + 300);
    expect(said(on(ticked(1), NOW + 1_100), "broadcast")).toEqual([]);
    expect(said(on(ticked(1), NOW + 1_200), "broadcast")).toEqual([{ type: "viewers", viewers: 1 }]);
  });
});

test("a room that comes late to its rounds leaves itself more time", () => {
  const idle = { ...initialState(roomId("arena_2026-W42"), undefined, 1), resting: true, nextRoundAtMs: NOW };
  const { state } = step(idle, pushed(1), NOW + 100);
  const late = step(state, ticked(), NOW + 200);
  expect(said(late.effects, "broadcast")).toMatchObject([{ version: "1" }]);
  expect(late.effects).toContainEqual({ type: "wake", atMs: NOW + 200 + 50 + 2 * 200 });
});

describe("the end of the week", () => {
  test("is told to everybody, with the next room", () => {
    const on = room();
    on(connected);
    expect(said(on({ type: "ended" }, roomId("arena_2026-W42").endsAtMs), "broadcast")).toEqual([
      { type: "closed", week: "2026-W42", next: "arena_2026-W43" },
    ]);
  });

  test("is told to viewers who connect afterwards, after the board", () => {
    const on = room({ top: board(1, [["ada", 1]]), shards: 1 });
    const late = said(on(connected, roomId("arena_2026-W42").endsAtMs), "reply");
    expect(late.map((message) => message.type)).toEqual(["top", "closed", "viewers"]);
  });

  test("is told also when the board comes from the API", () => {
    const on = room();
    const after = roomId("arena_2026-W42").endsAtMs + 1;
    on(connected, after);
    const effects = on({ type: "answered", answer: { type: "top", top: board(1, [["ada", 1]]) } }, after);
    expect(said(effects, "broadcast").map((message) => message.type)).toEqual(["top", "closed"]);
  });
});

describe("shards", () => {
  test("are relayed to by the coordinator, each board once", () => {
    const on = room();
    expect(types(on(pushed(1, 4)))).toEqual(["store", "relay"]);
    expect(on(pushed(2, 4), NOW + 100)).toContainEqual(expect.objectContaining({ type: "relay", shards: 4 }));
  });

  test("only become more", () => {
    const on = room();
    on(pushed(1, 4));
    expect(on(pushed(2, 2), NOW + 100)).toContainEqual(expect.objectContaining({ type: "relay", shards: 4 }));
  });

  test("do not relay themselves", () => {
    const on = room(undefined, "arena_2026-W42_s1");
    expect(types(on(pushed(1, 4)))).toEqual(["store"]);
  });
});

test("badges reach the sockets one message each", () => {
  const on = room({ top: board(1, [["ada", 1]]), shards: 1 });
  on(connected);
  const push = {
    type: "badges" as const,
    badges: [
      { player: "ada", badge: "gold" },
      { player: "bob", badge: "silver" },
    ],
  };
  expect(said(on({ type: "pushed", push }, NOW + 60), "broadcast")).toEqual([
    { type: "badge", player: "ada", badge: "gold" },
    { type: "badge", player: "bob", badge: "silver" },
  ]);
});
