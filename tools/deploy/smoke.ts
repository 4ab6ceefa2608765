/** Plays one score against the deployed addresses: written, ranked, read back, seen in the room, deleted. */
import { randomBytes } from "node:crypto";
import { z } from "zod";
import { TopResponse } from "../../functions/contract/boards.ts";
import { LiveResponse } from "../../functions/contract/live.ts";
import { ScoreResponse } from "../../functions/contract/scores.ts";

/** One game for all smoke tests, so that no game is left behind by each. */
export const SMOKE_GAME = "edgeboard-smoke";

export type SmokeTarget = { readonly api: string; readonly serverKey: string; readonly say: (line: string) => void };

const DEADLINE_MS = 15_000;
/** A new deployment takes a moment to reach every edge. */
const READY_MS = 60_000;
const POLL_MS = 1_000;

const RoomMessage = z.looseObject({ type: z.string(), game: z.string().optional() });

async function call(target: SmokeTarget, method: string, path: string, body?: unknown): Promise<Response> {
  return fetch(target.api + path, {
    method,
    headers: { authorization: `Bearer ${target.serverKey}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(DEADLINE_MS),
  });
}

async function expectJson<T extends z.ZodType>(
  step: string,
  schema: T,
  answer: Promise<Response>,
): Promise<z.infer<T>> {
  const response = await answer;
  const text = await response.text();
  if (!response.ok) throw new Error(`smoke test: ${step}: ${response.status} ${text.slice(0, 300)}`);
  return schema.parse(JSON.parse(text));
}

async function untilReady(target: SmokeTarget): Promise<void> {
  const endsAt = Date.now() + READY_MS;
  for (;;) {
    const response = await call(target, "GET", "/readyz").catch(() => undefined);
    const answer = await response?.text();
    if (response?.ok) return target.say(`/readyz ${answer}`);
    if (Date.now() > endsAt) throw new Error(`smoke test: /readyz answers ${response?.status ?? "nothing"}: ${answer}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** The room's first message; it asks the API for the board itself, so this also proves that it can reach it. */
function firstMessage(url: string): Promise<z.infer<typeof RoomMessage>> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url);
    const fail = (reason: string) => {
      socket.close();
      reject(new Error(`smoke test: room: ${reason}`));
    };
    const timer = setTimeout(() => fail(`no message from ${url} in ${DEADLINE_MS} ms`), DEADLINE_MS);
    socket.addEventListener("error", () => fail(`no connection to ${url}`));
    socket.addEventListener("message", ({ data }) => {
      clearTimeout(timer);
      socket.close();
      resolve(RoomMessage.parse(JSON.parse(String(data))));
    });
  });
}

/** Throws an Error that names the step that failed. The player is deleted whatever happens. */
export async function smokeTest(target: SmokeTarget): Promise<void> {
  await untilReady(target);
  const game = `/v1/games/${SMOKE_GAME}`;
  const player = `smoke-${randomBytes(8).toString("hex")}`;
  await expectJson("create the game", z.unknown(), call(target, "PUT", game, {}));
  try {
    const submitted = call(target, "POST", `${game}/scores`, { player, points: 1 });
    const score = await expectJson("submit", ScoreResponse, submitted);
    if (!score.ranked) throw new Error("smoke test: the submission is durable but not ranked: Redis does not answer");
    target.say(`submitted: rank ${score.rank} of ${score.boardSize}`);
    const standing = z.object({ player: z.literal(player), points: z.literal(1) });
    await expectJson("read back", standing, call(target, "GET", `${game}/boards/current/players/${player}`));
    await expectJson("top", TopResponse, call(target, "GET", `${game}/boards/current/top`));
    const live = await expectJson("live", LiveResponse, call(target, "GET", `${game}/live`));
    const message = await firstMessage(live.url);
    if (message.type !== "top" || message.game !== SMOKE_GAME) throw new Error(`smoke test: room sent ${message.type}`);
    target.say(`room ${live.room} sends the board`);
  } finally {
    const response = await call(target, "DELETE", `${game}/players/${player}`);
    await response.body?.cancel();
    if (response.status !== 204) target.say(`the player ${player} could not be deleted: ${response.status}`);
  }
  const gone = await call(target, "GET", `${game}/boards/current/players/${player}`);
  await gone.body?.cancel();
  if (gone.status !== 404) throw new Error(`smoke test: the deleted player is answered with ${gone.status}`);
  target.say("deleted again");
}
