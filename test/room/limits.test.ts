import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { roomOf } from "../../functions/contract/live.ts";
import { nextWeek, WEEK_MS, weekEnd, weekOf, weekStart } from "../../functions/domain/board/week.ts";
import { fullness, MAX_SOCKETS, MAX_SOCKETS_PER_ADDRESS, tagsOf } from "../../party/crowd-limits.ts";
import { mayBeLive, parseRoomId } from "../../party/room-id.ts";
import { board, roomId } from "./boards.ts";
import { push, SECRET, startRooms, type Rooms } from "./rooms.ts";
import { until } from "../harness/until.ts";
import { Socket } from "./socket.ts";

let rooms: Rooms;
beforeAll(async () => {
  rooms = await startRooms();
});
afterAll(() => rooms.stop());

const week = weekOf(Date.now());

function freshRoom(): { game: string; room: string } {
  const game = `r-${randomBytes(8).toString("hex")}`;
  rooms.api.boards.set(game, board(1, [["ada", 1]], { game, week }));
  return { game, room: roomOf(game, week) };
}

describe("rooms of weeks that cannot be live", () => {
  const weeks = [
    "2188-W01",
    "9999-W52",
    "0001-W01",
    "2024-W01",
    nextWeek(nextWeek(week)),
    weekOf(Date.now() - 7 * WEEK_MS),
  ];

  test.each(weeks)("%s: neither viewers nor pushes get in, and no room asks for its board", async (other) => {
    const { game } = freshRoom();
    const room = roomOf(game, other);
    const socket = new Socket(rooms, room);
    expect(await socket.isClosed()).toBe(1006);
    expect((await push(rooms, room, board(1, [["ada", 1]], { game }))).status).toBe(404);
    expect(rooms.api.questions.get(game)).toBeUndefined();
  });

  test("open five minutes before their week, for viewers whose clock is ahead, and close when it is forgotten", () => {
    const room = roomId(`arena_${week}`);
    const start = weekStart(week) ?? 0;
    expect(mayBeLive(room, start - 300_001)).toBe(false);
    expect(mayBeLive(room, start - 300_000)).toBe(true);
    expect(mayBeLive(room, weekEnd(week))).toBe(true);
    expect(mayBeLive(room, room.expiresAtMs)).toBe(false);
  });

  test("are no rooms when no week follows", () => {
    expect(parseRoomId("arena_9999-W52")).toBeUndefined();
  });
});

test("of a game that does not exist nothing is stored, however many viewers come, and its board is as soon as it is made", async () => {
  const { game, room } = freshRoom();
  rooms.api.boards.set(game, "unknown-game");
  const socket = await Socket.open(rooms, room);
  await until("the room asked", () => rooms.api.questions.get(game) === 1);
  expect(await rooms.stores(room)).toBe(false);
  await push(rooms, room, board(1, [["ada", 1]], { game, week }));
  await socket.reaches(1);
  await until("the board is stored", () => rooms.stores(room));
  socket.close();
});

test("a room asks the API with the push secret", async () => {
  const { game, room } = freshRoom();
  const socket = await Socket.open(rooms, room);
  await socket.reaches(1);
  expect(rooms.api.credentials.get(game)).toBe(`Bearer ${SECRET}`);
  socket.close();
});

describe("sockets", () => {
  test("of one address are bounded in a room; this machine's are not counted", () => {
    expect(tagsOf("203.0.113.7")).not.toEqual(tagsOf("203.0.113.8"));
    expect(tagsOf("2001:db8:1:2:3:4:5:6")).toEqual(tagsOf("2001:db8:1:2::9"));
    for (const none of ["127.0.0.1", "::1", "", null]) expect(tagsOf(none)).toEqual([]);
    expect(fullness(1, () => 1, MAX_SOCKETS_PER_ADDRESS)).toBeUndefined();
    expect(fullness(1, () => 1, MAX_SOCKETS_PER_ADDRESS + 1)).toBe("too many viewers from this address");
  });

  test("of a room are bounded, by an exact count", () => {
    expect(fullness(MAX_SOCKETS - 1, () => Infinity, 0)).toBeUndefined();
    expect(fullness(MAX_SOCKETS + 5, () => MAX_SOCKETS, 0)).toBeUndefined();
    expect(fullness(MAX_SOCKETS, () => MAX_SOCKETS + 1, 0)).toBe("the room is full");
  });
});
