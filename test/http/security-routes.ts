/** One good request per route, and who may send it. A route that is missing here fails the table test. */
import type { CallOptions } from "../harness/api.ts";
import type { CallerName } from "./security-callers.ts";

export type Access = "everybody" | "submitters" | "batch submitters" | "administrators" | "operators";
export type Route = {
  readonly access: Access;
  /** What a caller who may gets; a route that changes something names all that may come first and later. */
  readonly ok: readonly number[];
  readonly path: string;
  readonly options?: CallOptions;
};

const NEVER = "00000000-0000-7000-8000-000000000000";

/** By operationId. `player` is ranked in `game`. */
export function routesOf(game: string, player: string): Readonly<Record<string, Route>> {
  const base = `/v1/games/${game}`;
  const everybody = (path: string): Route => ({ access: "everybody", ok: [200], path });
  const admin = (path: string, method: string, ok: readonly number[], body?: unknown): Route => ({
    access: "administrators",
    ok,
    path: base + path,
    options: { method, ...(body === undefined ? {} : { body }) },
  });
  return {
    healthz: everybody("/healthz"),
    readyz: everybody("/readyz"),
    metrics: { access: "operators", ok: [200], path: "/metrics" },
    getGame: everybody(base),
    putGame: admin("", "PUT", [200], {}),
    submitScore: {
      access: "submitters",
      ok: [201],
      path: `${base}/scores`,
      options: { body: { player, points: 10 } },
    },
    submitBatch: {
      access: "batch submitters",
      ok: [200],
      path: `${base}/scores/batch`,
      options: { body: { submissions: [{ player, points: 10 }] } },
    },
    top: everybody(`${base}/boards/current/top`),
    standing: everybody(`${base}/boards/current/players/${player}`),
    around: everybody(`${base}/boards/current/around/${player}`),
    playersCount: everybody(`${base}/boards/current/players-count`),
    listBoards: everybody(`${base}/boards`),
    getBoard: everybody(`${base}/boards/weekly`),
    putBoard: admin("/boards/laps", "PUT", [200, 201], { statistic: "lapMs" }),
    deleteBoard: admin("/boards/wins", "DELETE", [404]),
    listPeriods: everybody(`${base}/boards/weekly/periods`),
    feed: everybody(`${base}/feed`),
    badges: everybody(`${base}/players/${player}/badges`),
    live: everybody(`${base}/live`),
    banPlayer: admin("/players/nobody/ban", "PUT", [202]),
    unbanPlayer: admin("/players/nobody/ban", "DELETE", [204]),
    deletePlayer: admin("/players/gone", "DELETE", [204]),
    exportPlayer: admin(`/players/${player}/export`, "GET", [200]),
    removeSubmission: admin(`/submissions/${NEVER}`, "DELETE", [404]),
    listHeld: admin("/held", "GET", [200]),
    releaseSubmission: admin(`/held/${NEVER}/release`, "POST", [404]),
    rejectSubmission: admin(`/held/${NEVER}/reject`, "POST", [404]),
    nextSigningKey: admin("/signing-key", "POST", [201]),
  };
}

const ALL = ["key with everything", "key of the environment"] as const;

/** Who gets the route's own answer. */
export const MAY: Readonly<Record<Exclude<Access, "everybody">, readonly CallerName[]>> = {
  submitters: [...ALL, "key with submit only", "player token"],
  "batch submitters": [...ALL, "key with submit only"],
  administrators: [...ALL, "key with admin only"],
  operators: ["key of the environment"],
};

/** Whose credentials are good, so that they get 403 where they may not; everybody else gets 401. */
export const KNOWN: readonly CallerName[] = [
  ...ALL,
  "key with submit only",
  "key with admin only",
  "key of another game",
  "player token",
  "token of another player",
  "token for another game",
];
