import { send } from "./request.ts";
import type { Call, Transport } from "./request.ts";
import type {
  AroundResponse,
  Badges,
  BatchResults,
  BatchSubmission,
  BoardName,
  Feed,
  Game,
  GameSettings,
  HeldPage,
  Live,
  PlayerExport,
  PlayersCount,
  ScoreRequest,
  ScoreResponse,
  SigningKey,
  StandingResponse,
  TopResponse,
} from "./types.ts";
import { watchTop } from "./watch.ts";
import type { Watch, WatchHandler } from "./watch.ts";

export type ClientOptions = {
  /** Where the service is, such as `https://scores.example`; in a page of the service itself, `""`. */
  readonly baseUrl: string;
  /** A server key or a player token; reads need neither. */
  readonly token?: string;
  readonly fetch?: typeof fetch;
};

export type TopOptions = { readonly n?: number; readonly country?: string; readonly cursor?: string };

/** The service as methods, one for each route. Failed calls throw ProblemError. */
export type Client = {
  /**
   * Submits points. Without a key the client makes one, so that its own retries never count twice; give one
   * (say, the match id) to make your retries safe as well.
   */
  submit(game: string, submission: ScoreRequest, idempotencyKey?: string): Promise<ScoreResponse>;
  /** Up to 1,000 submissions. Those without a key get one, as in `submit`. */
  submitBatch(game: string, submissions: readonly BatchSubmission[]): Promise<BatchResults>;
  top(game: string, board: BoardName, options?: TopOptions): Promise<TopResponse>;
  standing(game: string, board: BoardName, player: string, country?: string): Promise<StandingResponse>;
  around(
    game: string,
    board: BoardName,
    player: string,
    options?: { k?: number; country?: string },
  ): Promise<AroundResponse>;
  feed(game: string, options?: { n?: number; cursor?: string }): Promise<Feed>;
  playersCount(game: string, board: BoardName): Promise<PlayersCount>;
  badges(game: string, player: string): Promise<Badges>;
  live(game: string): Promise<Live>;
  /** The live top 10 of the running week, through reconnects and into the next week. */
  watchTop(game: string, handler: WatchHandler): Watch;
  getGame(game: string): Promise<Game>;
  putGame(game: string, settings: GameSettings): Promise<Game>;
  ban(game: string, player: string): Promise<void>;
  unban(game: string, player: string): Promise<void>;
  deletePlayer(game: string, player: string): Promise<void>;
  /** Everything that is stored about a player; submissions page by page. */
  exportPlayer(game: string, player: string, cursor?: string): Promise<PlayerExport>;
  deleteSubmission(game: string, submissionId: string): Promise<void>;
  /** Submissions that wait for review, oldest first. */
  held(game: string, options?: { n?: number; cursor?: string }): Promise<HeldPage>;
  release(game: string, submissionId: string): Promise<void>;
  reject(game: string, submissionId: string): Promise<void>;
  /** Makes the next secret for signing submissions; it is shown this once. */
  nextSigningKey(game: string): Promise<SigningKey>;
};

/** A client for one service. */
export function createClient(options: ClientOptions): Client {
  const transport: Transport = {
    baseUrl: options.baseUrl.replace(/\/+$/, ""),
    token: options.token,
    fetch: options.fetch ?? ((input, init) => fetch(input, init)),
  };
  const call = <T>(
    game: string,
    rest: string,
    { method = "GET", ...more }: Partial<Omit<Call, "path">> = {},
  ): Promise<T> =>
    trusted<T>(send(transport, { ...more, method, path: `/v1/games/${encodeURIComponent(game)}${rest}` }));
  const player = (name: string): string => `/players/${encodeURIComponent(name)}`;
  const board = (name: BoardName): string => `/boards/${encodeURIComponent(name)}`;
  return {
    submit: (game, body, idempotencyKey = crypto.randomUUID()) =>
      call(game, "/scores", { method: "POST", body, idempotencyKey }),
    submitBatch: (game, given) => {
      const submissions = given.map((each) => ({ idempotencyKey: crypto.randomUUID(), ...each }));
      // The header is not for the service, which reads the keys inside: it marks the call as safe to retry.
      return call(game, "/scores/batch", {
        method: "POST",
        body: { submissions },
        idempotencyKey: crypto.randomUUID(),
      });
    },
    top: (game, name, query = {}) => call(game, `${board(name)}/top`, { query }),
    standing: (game, name, id, country) => call(game, board(name) + player(id), { query: { country } }),
    around: (game, name, id, query = {}) => call(game, `${board(name)}/around/${encodeURIComponent(id)}`, { query }),
    feed: (game, query = {}) => call(game, "/feed", { query }),
    playersCount: (game, name) => call(game, `${board(name)}/players-count`),
    badges: (game, id) => call(game, `${player(id)}/badges`),
    live: (game) => call(game, "/live"),
    watchTop: (game, handler) => watchTop(() => call(game, "/live", { once: true }), handler),
    getGame: (game) => call(game, ""),
    putGame: (game, body) => call(game, "", { method: "PUT", body }),
    ban: (game, id) => call(game, `${player(id)}/ban`, { method: "PUT" }),
    unban: (game, id) => call(game, `${player(id)}/ban`, { method: "DELETE" }),
    deletePlayer: (game, id) => call(game, player(id), { method: "DELETE" }),
    exportPlayer: (game, id, cursor) => call(game, `${player(id)}/export`, { query: { cursor } }),
    held: (game, query = {}) => call(game, "/held", { query }),
    release: (game, id) => call(game, `/held/${encodeURIComponent(id)}/release`, { method: "POST" }),
    reject: (game, id) => call(game, `/held/${encodeURIComponent(id)}/reject`, { method: "POST" }),
    nextSigningKey: (game) => call(game, "/signing-key", { method: "POST" }),
    deleteSubmission: (game, id) => call(game, `/submissions/${encodeURIComponent(id)}`, { method: "DELETE" }),
  };
}

/** The service answers as its contract says; its own tests parse every answer, so a client need not. */
async function trusted<T>(answer: Promise<unknown>): Promise<T> {
  return (await answer) as T;
}
