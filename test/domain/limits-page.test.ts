/** docs/limits.md says what the code keeps to: each figure is the constant's. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { parse } from "smol-toml";
import { expect, test } from "vitest";
import { z } from "zod";
import { MAX_AROUND, MAX_ENTRIES } from "../../functions/contract/boards.ts";
import { MOST_PERIODS } from "../../functions/contract/defined-boards.ts";
import { MAX_SHARDS } from "../../functions/contract/live.ts";
import { MAX_EXPORT, MAX_HELD } from "../../functions/contract/moderation.ts";
import { MAX_PLAYER_CHARACTERS } from "../../functions/contract/primitives.ts";
import { MOST_SEASONS } from "../../functions/contract/schedules.ts";
import { MAX_BATCH } from "../../functions/contract/scores.ts";
import { MAX_POINTS } from "../../functions/domain/board/score.ts";
import { BOARD_PLAYERS, UPSTASH_LIMITS } from "../../functions/domain/platform-limits.ts";
import { MOST_BOARDS } from "../../functions/services/definitions/define-board.ts";
import { MAX_BODY_BYTES } from "../../functions/http/middleware/body.ts";
import { AHEAD_MS, BACK_MS } from "../../functions/domain/board/time.ts";
import { ROOT } from "../../local/paths.ts";
import { MAX_SOCKETS, MAX_SOCKETS_PER_ADDRESS } from "../../party/crowd-limits.ts";
import { readPage } from "../deploy/documents.ts";

const MEBIBYTE = 1024 * 1024;
const n = (value: number) => value.toLocaleString("en");

const rows = new Map(
  [...readPage("docs/limits.md").matchAll(/^\| (.+?) \| (.*) \| .* \|$/gm)].map(([, what = "", limit = ""]) => [
    what,
    limit,
  ]),
);

const Config = z.looseObject({
  ratelimits: z.array(z.looseObject({ name: z.string(), simple: z.object({ limit: z.int(), period: z.literal(60) }) })),
});
const { ratelimits } = Config.parse(parse(readFileSync(path.join(ROOT, "wrangler.toml"), "utf8")));
const aMinute = (name: string) =>
  `${n(ratelimits.find((limit) => limit.name === name)?.simple.limit ?? 0)} a minute and location`;

test.each([
  ["points", `0 to ${n(MAX_POINTS)}`],
  ["player id", `1 to ${MAX_PLAYER_CHARACTERS} characters`],
  ["batch", `${n(MAX_BATCH)} submissions, ${MAX_BODY_BYTES / MEBIBYTE} MiB`],
  ["`submittedAt` (key with `backdate`)", `${BACK_MS / 86_400_000} days back, ${AHEAD_MS / 1_000} s ahead`],
  ["a page", `or \`held\` ${MAX_ENTRIES} entries, of \`export\` ${n(MAX_EXPORT)}`],
  ["`around`", `${MAX_AROUND} above and below`],
  ["players on one board at Upstash", `${UPSTASH_LIMITS.keyBytes / MEBIBYTE} MB: ${n(BOARD_PLAYERS)} (UUIDs)`],
  ["boards that a game defines ([boards.md](boards.md))", `${MOST_BOARDS}`],
  ["seasons of a board", `${MOST_SEASONS}`],
  ["periods of one answer", `${MOST_PERIODS}`],
  ["requests of one address", aMinute("ADDRESS_LIMIT")],
  ["requests of one player token", aMinute("PLAYER_LIMIT")],
  ["viewers", `${n(MAX_SOCKETS)} a room, ${MAX_SOCKETS_PER_ADDRESS} of one address`],
  ["viewers", `up to ${MAX_SHARDS} rooms`],
])("%s: %s", (what, limit) => {
  expect(rows.get(what)).toContain(limit);
});

test("all pages of entries are equally long", () => {
  expect(MAX_HELD).toBe(MAX_ENTRIES);
});
