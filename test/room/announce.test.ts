import { expect, test } from "vitest";
import { announcementsBetween } from "../../party/announce.ts";
import { board, fullBoard } from "./boards.ts";

const named = (before: Parameters<typeof announcementsBetween>[0], after: Parameters<typeof announcementsBetween>[1]) =>
  announcementsBetween(before, after).map(({ player, rank }) => `${player} is now #${rank}`);

test("a player who comes into the top 10 is announced", () => {
  expect(
    named(
      board(1, [["ada", 100]]),
      board(2, [
        ["bob", 200],
        ["ada", 100],
      ]),
    ),
  ).toEqual(["bob is now #1"]);
});

test("a player who raises their points is announced, one who is only pushed down is not", () => {
  expect(
    named(
      board(1, [
        ["ada", 100],
        ["bob", 90],
      ]),
      board(2, [
        ["bob", 120],
        ["ada", 100],
      ]),
    ),
  ).toEqual(["bob is now #1"]);
});

test("a player who moves up because another was removed is not announced", () => {
  const before = fullBoard(1);
  const entries = [
    ...before.entries.slice(1),
    {
      ...before.entries[9],
      player: "p11",
      points: 900,
      rank: 10,
      competitionRank: 10,
      achievedAt: "2026-10-13T08:00:00Z",
    },
  ];
  expect(
    named(before, { ...before, version: "2", entries: entries.map((entry, index) => ({ ...entry, rank: index + 1 })) }),
  ).toEqual([]);
});

test("a player who ties with the last place by an earlier second or a greater id is announced", () => {
  const before = fullBoard(1);
  const ninth = before.entries.slice(0, 9);
  const tied = { rank: 10, competitionRank: 10, points: 910 };
  const earlier = { ...tied, player: "a", achievedAt: "2026-10-13T07:59:59Z" };
  const greaterId = { ...tied, player: "p2ö", achievedAt: "2026-10-13T08:00:00Z" };
  expect(named(before, { ...before, version: "2", entries: [...ninth, earlier] })).toEqual(["a is now #10"]);
  expect(named(before, { ...before, version: "2", entries: [...ninth, greaterId] })).toEqual(["p2ö is now #10"]);
});

test("a first board is no news", () => {
  expect(named(undefined, fullBoard(1))).toEqual([]);
  expect(named(board(1, []), fullBoard(2))).toEqual([]);
});
