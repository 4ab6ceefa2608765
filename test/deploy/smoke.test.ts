import { expect, test } from "vitest";
import { SMOKE_GAME, smokeTest } from "../../tools/deploy/smoke.ts";
import { call } from "../harness/api.ts";
import { stack } from "../harness/stack.ts";

const target = (said: string[], serverKey = stack().serverKey) => ({
  api: stack().api,
  serverKey,
  say: (line: string) => void said.push(line),
});

test("the smoke test plays a score, sees it in the room, and leaves no player", async () => {
  const said: string[] = [];
  await smokeTest(target(said));
  expect(said.at(-1)).toBe("deleted again");
  const { body } = await call(`/v1/games/${SMOKE_GAME}/boards/current/top`);
  expect(body).toMatchObject({ entries: [], boardSize: 0 });
});

test("the smoke test fails with the step and the answer when the key is wrong", async () => {
  await expect(smokeTest(target([], "not-the-key"))).rejects.toThrow(/create the game: 401/);
});
