import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isNewer, roomOf } from "../../functions/contract/live.ts";
import { weekOf } from "../../functions/domain/board/week.ts";
import { until } from "../harness/until.ts";
import { board } from "./boards.ts";
import { PREVIOUS_SECRET, push, SECRET, startRooms } from "./rooms.ts";
import type { Rooms } from "./rooms.ts";
import { Socket } from "./socket.ts";

let rooms: Rooms;
beforeAll(async () => {
  rooms = await startRooms();
});
afterAll(() => rooms.stop());

const week = weekOf(Date.now());

/** A game of the test's own: its room and its boards. */
function freshGame() {
  const game = `t-${randomBytes(6).toString("hex")}`;
  const room = roomOf(game, week);
  return { game, room, top: (version: number) => board(version, [["ada", version]], { game, week }) };
}

describe("who may push", () => {
  test.each([
    ["no secret", null],
    ["an empty secret", "Bearer "],
    ["another scheme", `Basic ${SECRET}`],
    ["a forged secret", `Bearer ${SECRET.slice(0, -1)}x`],
    ["a piece of the secret", `Bearer ${SECRET.slice(0, -1)}`],
    ["the secret and more", `Bearer ${SECRET}x`],
  ])("a push with %s gets 401 and changes nothing", async (_, authorization) => {
    const { game, room, top } = freshGame();
    rooms.api.boards.set(game, top(1));
    expect((await push(rooms, room, top(9), authorization)).status).toBe(401);
    const socket = await Socket.open(rooms, room);
    await socket.reaches(1);
    socket.close();
  });

  test.each([
    ["the secret", SECRET],
    ["the previous secret", PREVIOUS_SECRET],
  ])("a push with %s is taken", async (_, secret) => {
    const { room, top } = freshGame();
    const response = await push(rooms, room, top(3), `Bearer ${secret}`);
    expect([response.status, await response.json()]).toEqual([200, { version: "3" }]);
  });
});

describe("what is refused", () => {
  test.each([
    ["a body that is no JSON", "{", 400],
    ["an empty body", "", 400],
    ["JSON that is no push", '{"type":"top"}', 422],
    ["a body over 16 KB", JSON.stringify({ type: "badges", padding: "x".repeat(16 * 1024) }), 413],
  ])("%s", async (_, body, status) => {
    const response = await push(rooms, freshGame().room, body);
    expect([response.status, response.headers.get("content-type")]).toEqual([status, "application/problem+json"]);
  });

  test("a board of another game or week", async () => {
    expect((await push(rooms, freshGame().room, freshGame().top(1))).status).toBe(422);
  });

  test.each(["nope", "Arena_2026-W42", "arena_2026-W99", "arena_2026-W42_s0"])(
    "the room %s, which cannot exist",
    async (room) => {
      expect((await push(rooms, room, {})).status).toBe(404);
      const socket = new Socket(rooms, room);
      expect(await socket.isClosed()).toBe(1006);
    },
  );

  test("other methods, with the ones that are allowed", async () => {
    const url = `${rooms.url}/parties/main/${freshGame().room}`;
    for (const method of ["GET", "PUT", "DELETE"]) {
      const response = await fetch(url, { method });
      expect([response.status, response.headers.get("allow")]).toEqual([405, "POST, OPTIONS"]);
    }
    expect((await fetch(url, { method: "OPTIONS" })).status).toBe(204);
  });
});

describe("the order of pushes", () => {
  test("does not matter: late and doubled ones are dropped", async () => {
    const { room, top } = freshGame();
    const socket = await Socket.open(rooms, room);
    for (const version of [2, 5, 5, 3, 1, 4]) expect((await push(rooms, room, top(version))).status).toBe(200);
    await socket.reaches(5);
    expect(socket.versions).toEqual(["2", "5"]);
    socket.close();
  });

  test("does not matter for 200 sockets either: all end on the last board and never see one go down", async () => {
    const { room, top } = freshGame();
    await push(rooms, room, top(1));
    const sockets = await Promise.all(Array.from({ length: 200 }, () => Socket.open(rooms, room)));
    const versions = Array.from({ length: 300 }, (_, index) => index + 2).sort(() => Math.random() - 0.5);
    const startedAt = Date.now();
    for (let from = 0; from < versions.length; from += 10) {
      await Promise.all(versions.slice(from, from + 10).map((version) => push(rooms, room, top(version))));
    }
    await Promise.all(sockets.map((socket) => socket.reaches(301, 5_000)));
    const rounds = Math.ceil((Date.now() - startedAt) / 50) + 2;
    for (const socket of sockets) {
      const seen = socket.versions;
      expect(seen.every((version, index) => index === 0 || !isNewer(seen[index - 1] ?? "0", version))).toBe(true);
      expect(seen.length).toBeLessThanOrEqual(rounds);
      expect(socket.closeCode).toBeUndefined();
      socket.close();
    }
  });
});

test("badges reach the sockets", async () => {
  const { room, top } = freshGame();
  await push(rooms, room, top(1));
  const socket = await Socket.open(rooms, room);
  await push(rooms, room, { type: "badges", badges: [{ player: "ada", badge: "gold" }] });
  expect(await socket.hears("badge")).toEqual({ type: "badge", player: "ada", badge: "gold" });
  socket.close();
});

test("a player who improves is announced with the place", async () => {
  const { room, game } = freshGame();
  await push(rooms, room, board(1, [["ada", 100]], { game, week }));
  const socket = await Socket.open(rooms, room);
  await push(
    rooms,
    room,
    board(
      2,
      [
        ["bob", 200],
        ["ada", 100],
      ],
      { game, week },
    ),
  );
  expect(await socket.hears("announcement")).toEqual({ type: "announcement", version: "2", player: "bob", rank: 1 });
  socket.close();
});

test("a board with shards reaches the viewers of every shard", async () => {
  const { room, top } = freshGame();
  const shards = await Promise.all(
    [room, `${room}_s1`, `${room}_s2`, `${room}_s3`].map((id) => Socket.open(rooms, id)),
  );
  await push(rooms, room, { ...top(7), shards: 4 });
  await Promise.all(shards.map((socket) => socket.reaches(7)));
  await until("a push without a count still reaches all", async () => {
    await push(rooms, room, top(8));
    return shards.every((socket) => socket.versions.at(-1) === "8");
  });
  for (const socket of shards) socket.close();
});
