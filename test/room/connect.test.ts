import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { roomOf } from "../../functions/contract/live.ts";
import { nextWeek, weekOf } from "../../functions/domain/board/week.ts";
import { until } from "../harness/until.ts";
import { board } from "./boards.ts";
import { push, startRooms } from "./rooms.ts";
import type { Rooms } from "./rooms.ts";
import { Socket } from "./socket.ts";

let rooms: Rooms;
beforeAll(async () => {
  rooms = await startRooms();
});
afterAll(() => rooms.stop());

const thisWeek = weekOf(Date.now());
const WEEK_MS = 7 * 86_400_000;

function freshGame(week = thisWeek) {
  const game = `t-${randomBytes(6).toString("hex")}`;
  return {
    game,
    room: roomOf(game, week),
    top: (version: number) => board(version, [["ada", version]], { game, week }),
  };
}

describe("the first message", () => {
  test("is the stored board, also after the server restarted between push and connect", async () => {
    const { room, top } = freshGame();
    await push(rooms, room, top(4));
    await rooms.restart();
    const socket = await Socket.open(rooms, room);
    await socket.reaches(4);
    expect(socket.messages[0]).toEqual(top(4));
    socket.close();
  });

  test("is the API's board when the room has none", async () => {
    const { game, room, top } = freshGame();
    rooms.api.boards.set(game, top(6));
    const socket = await Socket.open(rooms, room);
    await socket.reaches(6);
    expect(socket.messages[0]).toEqual(top(6));
    socket.close();
  });

  test("comes as soon as the API is back when the room has none", async () => {
    const { game, room, top } = freshGame();
    const socket = await Socket.open(rooms, room);
    await until("the room asked", () => (rooms.api.questions.get(game) ?? 0) > 0);
    rooms.api.boards.set(game, top(6));
    await socket.reaches(6);
    socket.close();
  });

  test("comes although something in between answered with a 404 of its own", async () => {
    const { game, room, top } = freshGame();
    rooms.api.boards.set(game, "not-ours");
    const socket = await Socket.open(rooms, room);
    await until("the room asked", () => (rooms.api.questions.get(game) ?? 0) > 0);
    rooms.api.boards.set(game, top(6));
    await socket.reaches(6);
    socket.close();
  });

  test("is followed by the current board when a push was lost", async () => {
    const { game, room, top } = freshGame();
    await push(rooms, room, top(4));
    rooms.api.boards.set(game, top(5));
    const socket = await Socket.open(rooms, room);
    await socket.reaches(5);
    expect(socket.versions).toEqual(["4", "5"]);
    socket.close();
  });
});

test("viewers who are there get the last board within seconds although its push was lost", async () => {
  const { game, room, top } = freshGame();
  rooms.api.boards.set(game, top(1));
  const socket = await Socket.open(rooms, room);
  await socket.reaches(1);
  await push(rooms, room, top(4));
  rooms.api.boards.set(game, top(5));
  await socket.reaches(5, 5_000);
  expect(socket.versions).toEqual(["1", "4", "5"]);
  socket.close();
});

test("a sync brings the board again", async () => {
  const { room, top } = freshGame();
  await push(rooms, room, top(4));
  const socket = await Socket.open(rooms, room);
  await socket.reaches(4);
  socket.send('{"type":"sync"}');
  await until("the board came twice", () => socket.versions.length === 2);
  expect(socket.versions).toEqual(["4", "4"]);
  socket.close();
});

test("fifty viewers who come at once make the room ask the API at most twice", async () => {
  const { game, room, top } = freshGame();
  rooms.api.boards.set(game, top(1));
  const sockets = await Promise.all(Array.from({ length: 50 }, () => Socket.open(rooms, room)));
  await Promise.all(sockets.map((socket) => socket.reaches(1)));
  expect(rooms.api.questions.get(game)).toBeLessThanOrEqual(2);
  for (const socket of sockets) socket.close();
});

test("viewers are counted, and two sockets with one connection id are two viewers who both get everything", async () => {
  const { room, top } = freshGame();
  await push(rooms, room, top(1));
  const first = await Socket.open(rooms, room, "?_pk=same");
  const second = await Socket.open(rooms, room, "?_pk=same");
  await until("both know of two viewers", () =>
    [first, second].every(({ messages }) => messages.findLast((message) => message.type === "viewers")?.viewers === 2),
  );
  await push(rooms, room, top(2));
  await Promise.all([first.reaches(2), second.reaches(2)]);
  second.close();
  await until("one is left", () => first.messages.findLast((message) => message.type === "viewers")?.viewers === 1);
  first.close();
});

describe("abuse", () => {
  test("a flood is closed with 4008, and the others stay", async () => {
    const { room, top } = freshGame();
    await push(rooms, room, top(1));
    const calm = await Socket.open(rooms, room);
    const noisy = await Socket.open(rooms, room);
    for (let index = 0; index < 25; index++) noisy.send("not json");
    expect(await noisy.isClosed()).toBe(4008);
    await push(rooms, room, top(2));
    await calm.reaches(2);
    calm.close();
  });

  test("a message over one kilobyte is closed with 4009", async () => {
    const socket = await Socket.open(rooms, freshGame().room);
    socket.send("x".repeat(2_000));
    expect(await socket.isClosed()).toBe(4009);
  });
});

test("a viewer of a game that does not exist makes the room ask once", async () => {
  const { game, room, top } = freshGame();
  rooms.api.boards.set(game, "unknown-game");
  const socket = await Socket.open(rooms, room);
  await until("the room asked", () => rooms.api.questions.get(game) === 1);
  await push(rooms, room, top(1));
  await socket.reaches(1);
  expect(rooms.api.questions.get(game)).toBe(1);
  socket.close();
});

test("a viewer who connects to a week that is over gets its board and then the next room", async () => {
  const lastWeek = weekOf(Date.now() - WEEK_MS);
  const { game, room, top } = freshGame(lastWeek);
  rooms.api.boards.set(game, top(9));
  const socket = await Socket.open(rooms, room);
  expect(await socket.hears("closed")).toEqual({
    type: "closed",
    week: lastWeek,
    next: roomOf(game, nextWeek(lastWeek)),
  });
  expect(socket.messages[0]).toEqual(top(9));
  socket.close();
});
