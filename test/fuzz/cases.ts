/** Requests of the fuzz lane: each route with good values, some of which are replaced by strange ones. */
import type { CallOptions } from "../harness/api.ts";
import { STRANGE_TEXTS, STRANGE_VALUES, type Random } from "./random.ts";

export type Case = { readonly path: string; readonly options: CallOptions };
export type World = {
  readonly game: string;
  readonly players: readonly string[];
  readonly submissionIds: readonly string[];
  /** Credentials, good and bad; null sends none. */
  readonly keys: readonly (string | null)[];
};
type Shape = {
  readonly method: string;
  readonly path: readonly string[];
  readonly query?: readonly string[];
  readonly body?: "score" | "batch" | "config" | "board" | "nothing";
};

const GOOD = {
  badges: [{ badge: "bronze", threshold: 10 }],
  limits: { perPlayer: null },
} as const;

const LAPS = {
  statistic: "lapMs",
  order: "asc",
  aggregation: "best",
  tie: "id",
  keyed: false,
  live: true,
  graceSeconds: 10,
  value: { min: 0, max: 100, decimals: 2 },
  segments: ["country"],
  answer: { rank: true, segmentRanks: ["country"] },
} as const;
const SCHEDULES = [
  { kind: "never" },
  { kind: "day", zone: "Europe/Berlin", at: "04:00" },
  { kind: "week", firstDay: "sunday" },
  { kind: "month", day: 28 },
  { kind: "cron", cron: "*/5 * * * *", zone: "Asia/Tokyo" },
  { kind: "every", every: "PT1M", anchor: "2026-01-01T00:00:00Z" },
  { kind: "seasons", seasons: [{ id: "s1", startsAt: "2026-01-01T00:00:00Z", endsAt: "2030-01-01T00:00:00Z" }] },
] as const;

const WRITES: readonly Shape[] = [
  { method: "POST", path: [":game", "scores"], body: "score" },
  { method: "POST", path: [":game", "scores", "batch"], body: "batch" },
];

/** Path parts that begin with `:` are filled in. Writes come more often: they have the most to spoil. */
export const SHAPES: readonly Shape[] = [
  ...WRITES,
  ...WRITES,
  ...WRITES,
  ...WRITES,
  { method: "PUT", path: [":game"], body: "config" },
  { method: "GET", path: [":game"] },
  { method: "GET", path: [":game", "boards", ":board", "top"], query: ["n", "country", "cursor"] },
  { method: "GET", path: [":game", "boards", ":board", "players", ":player"], query: ["country"] },
  { method: "GET", path: [":game", "boards", ":board", "around", ":player"], query: ["k", "country"] },
  { method: "GET", path: [":game", "boards", ":board", "players-count"] },
  { method: "GET", path: [":game", "boards"] },
  { method: "PUT", path: [":game", "boards", ":definition"], body: "board" },
  { method: "GET", path: [":game", "boards", ":definition"] },
  { method: "DELETE", path: [":game", "boards", ":definition"], query: ["now"] },
  { method: "GET", path: [":game", "boards", ":definition", "periods"], query: ["from", "n"] },
  { method: "GET", path: [":game", "feed"], query: ["n", "cursor"] },
  { method: "GET", path: [":game", "players", ":player", "badges"] },
  { method: "GET", path: [":game", "players", ":player", "export"], query: ["cursor"] },
  { method: "PUT", path: [":game", "players", ":player", "ban"] },
  { method: "DELETE", path: [":game", "players", ":player", "ban"] },
  { method: "DELETE", path: [":game", "players", ":player"] },
  { method: "DELETE", path: [":game", "submissions", ":submission"] },
  { method: "GET", path: [":game", "held"], query: ["n", "cursor"] },
  { method: "POST", path: [":game", "held", ":submission", "release"], body: "nothing" },
  { method: "POST", path: [":game", "held", ":submission", "reject"], body: "nothing" },
  { method: "POST", path: [":game", "signing-key"], body: "nothing" },
  { method: "GET", path: [":game", "live"] },
];

function encoded(text: string): string {
  try {
    return encodeURIComponent(text);
  } catch {
    // A lone surrogate has no UTF-8: send its WTF-8 bytes, as a broken client would.
    return "%ED%A0%80";
  }
}

function part(random: Random, world: World, name: string): string {
  if (!name.startsWith(":")) return name;
  if (random.oneIn(4)) return encoded(random.pick(STRANGE_TEXTS));
  switch (name) {
    case ":game":
      return world.game;
    case ":board":
      return random.pick(["current", "all-time", "2026-W42"]);
    case ":definition":
      return random.pick(["laps", "song", "weekly", "all-time", "current"]);
    case ":submission":
      return random.pick(world.submissionIds);
    default:
      return encoded(random.pick(world.players));
  }
}

function score(random: Random, world: World): Record<string, unknown> {
  const body: Record<string, unknown> = { player: random.pick(world.players), points: random.below(1_000) };
  if (random.oneIn(3)) body["country"] = random.pick(["DE", "fr", "XX"]);
  if (random.oneIn(4)) body["submittedAt"] = new Date(Date.now() - random.below(10_000_000)).toISOString();
  return body;
}

/** Replaces, adds or drops one field, at any depth. */
function spoiled(random: Random, body: Record<string, unknown>): unknown {
  if (random.oneIn(8)) return random.pick(STRANGE_VALUES);
  const name = random.pick([...Object.keys(body), random.pick(STRANGE_TEXTS)]);
  const { [name]: value, ...rest } = body;
  if (random.oneIn(4)) return rest;
  if (Array.isArray(value) && value.length > 0 && random.oneIn(2)) {
    return { ...rest, [name]: [...value, random.pick(STRANGE_VALUES)] };
  }
  return { ...rest, [name]: random.pick(STRANGE_VALUES) };
}

function bodyOf(random: Random, world: World, kind: NonNullable<Shape["body"]>): unknown {
  if (kind === "nothing") return {};
  if (kind === "config") return { ...GOOD, maxPoints: 1_000 };
  if (kind === "board") return { ...LAPS, schedule: random.pick(SCHEDULES) };
  if (kind === "score") return score(random, world);
  const items = Array.from({ length: 1 + random.below(5) }, () =>
    random.oneIn(3) ? spoiled(random, score(random, world)) : score(random, world),
  );
  return { submissions: items };
}

function headersOf(random: Random): Record<string, string> {
  const headers: Record<string, string> = {};
  const names = ["idempotency-key", "edgeboard-signature", "edgeboard-timestamp", "edgeboard-nonce", "content-type"];
  const values = ["k1", "1.ab", `1.${"0".repeat(64)}`, String(Date.now()), "x y", "text/plain", "é", "a".repeat(200)];
  if (random.oneIn(3)) headers[random.pick(names)] = random.pick(values);
  return headers;
}

/** One request of the schema-aware kind, or with raw bytes in the place of a body or a path. */
export function nextCase(random: Random, world: World, shapes: readonly Shape[]): Case {
  const shape = random.pick(shapes);
  const query = new URLSearchParams();
  for (const name of shape.query ?? []) {
    if (random.oneIn(2))
      query.append(name, random.oneIn(2) ? String(random.below(60)) : random.pick(STRANGE_TEXTS).toWellFormed());
  }
  const raw = Array.from(random.bytes(1 + random.below(12)), (byte) => `%${byte.toString(16).padStart(2, "0")}`).join(
    "",
  );
  const parts = shape.path.map((name) => (random.oneIn(20) ? raw : part(random, world, name)));
  const path = `/v1/games/${parts.join("/")}${query.size > 0 ? `?${query.toString()}` : ""}`;
  const base = { method: shape.method, key: random.pick(world.keys), headers: headersOf(random) };
  if (shape.body === undefined) return { path, options: base };
  if (random.oneIn(6)) return { path, options: { ...base, rawBody: random.bytes(random.below(400)) } };
  const body = bodyOf(random, world, shape.body);
  if (random.oneIn(12)) {
    const text = JSON.stringify(body);
    return { path, options: { ...base, rawBody: text.slice(0, random.below(text.length)) } };
  }
  const spoil = random.oneIn(2) && typeof body === "object" && body !== null;
  return { path, options: { ...base, body: spoil ? spoiled(random, { ...body }) : body } };
}
