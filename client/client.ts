import { given, send } from "./request.ts";
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
  Lenient,
  Live,
  PlayerExport,
  PlayersCount,
  ScoreResponse,
  SigningKey,
  StandingResponse,
  Submission,
  TopResponse,
} from "./types.ts";
import { watchTop } from "./watch.ts";
import type { Watch, WatchHandler } from "./watch.ts";

export type ClientOptions = {
  /** Where the service is, such as `https://scores.example`; in a page of the service itself, `""`. */
  readonly baseUrl: string;
  /** A server key or a player token; reads need neither. */
  readonly token?: string | null | undefined;
  readonly fetch?: typeof fetch | null | undefined;
};

type Maybe<T> = T | null | undefined;
type Page = Lenient<{ n?: number; cursor?: string }>;
export type TopOptions = Lenient<{ n?: number; country?: string; cursor?: string }>;
export type AroundOptions = Lenient<{ k?: number; country?: string }>;

/** The service as methods, one for each route. Failed calls throw ProblemError. */
export type Client = {
  /**
   * Submits points. Without a key the client makes one, so that its own retries never count twice; give one
   * (say, the match id) to make your retries safe as well.
   */
  submit(game: string, submission: Submission, idempotencyKey?: Maybe<string>): Promise<ScoreResponse>;
  /** Up to 1,000 submissions. Those without a key get one, as in `submit`. */
  submitBatch(game: string, submissions: readonly BatchSubmission[]): Promise<BatchResults>;
  top(game: string, board: BoardName, options?: Maybe<TopOptions>): Promise<TopResponse>;
  standing(game: string, board: BoardName, player: string, country?: Maybe<string>): Promise<StandingResponse>;
  around(game: string, board: BoardName, player: string, options?: Maybe<AroundOptions>): Promise<AroundResponse>;
  feed(game: string, options?: Maybe<Page>): Promise<Feed>;
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
  exportPlayer(game: string, player: string, cursor?: Maybe<string>): Promise<PlayerExport>;
  deleteSubmission(game: string, submissionId: string): Promise<void>;
  /** Submissions that wait for review, oldest first. */
  held(game: string, options?: Maybe<Page>): Promise<HeldPage>;
  release(game: string, submissionId: string): Promise<void>;
  reject(game: string, submissionId: string): Promise<void>;
  /** Makes the next secret for signing submissions; it is shown this once. */
  nextSigningKey(game: string): Promise<SigningKey>;
};

/** A client for one service. */
export function createClient(options: ClientOptions): Client {
  const transport: Transport = {
    baseUrl: options.baseUrl.replace(/\/+$/, ""),
    token: options.token ?? undefined,
    fetch: options.fetch ?? ((input, init) => fetch(input, init)),
  };
  type More = Partial<Omit<Call, "path" | "field">>;
  /** A call whose answers all have the field. */
  const ask = <T>(game: string, path: readonly string[], field: keyof T & string, more: More = {}): Promise<T> =>
    trusted<T>(send(transport, { method: "GET", ...more, field, path: ["v1", "games", game, ...path] }));
  /** A call whose answer is empty. */
  const tell = async (method: Call["method"], game: string, ...path: string[]): Promise<void> => {
    await send(transport, { method, path: ["v1", "games", game, ...path] });
  };
  return {
    submit: (game, body, key) =>
      ask(game, ["scores"], "submissionId", { method: "POST", body, idempotencyKey: key ?? crypto.randomUUID() }),
    submitBatch: (game, submissions) =>
      ask(game, ["scores", "batch"], "results", {
        method: "POST",
        body: { submissions: submissions.map((each) => ({ idempotencyKey: crypto.randomUUID(), ...given(each) })) },
        // The header is not for the service, which reads the keys inside: it marks the call as safe to retry.
        idempotencyKey: crypto.randomUUID(),
      }),
    top: (game, board, query) => ask(game, ["boards", board, "top"], "entries", { query }),
    standing: (game, board, player, country) =>
      ask(game, ["boards", board, "players", player], "rank", { query: { country } }),
    around: (game, board, player, query) => ask(game, ["boards", board, "around", player], "entries", { query }),
    feed: (game, query) => ask(game, ["feed"], "events", { query }),
    playersCount: (game, board) => ask(game, ["boards", board, "players-count"], "ranked"),
    badges: (game, player) => ask(game, ["players", player, "badges"], "badges"),
    live: (game) => ask(game, ["live"], "url"),
    watchTop: (game, handler) => watchTop(() => ask(game, ["live"], "url", { once: true }), handler),
    getGame: (game) => ask(game, [], "game"),
    putGame: (game, body) => ask(game, [], "game", { method: "PUT", body }),
    ban: (game, player) => tell("PUT", game, "players", player, "ban"),
    unban: (game, player) => tell("DELETE", game, "players", player, "ban"),
    deletePlayer: (game, player) => tell("DELETE", game, "players", player),
    exportPlayer: (game, player, cursor) =>
      ask(game, ["players", player, "export"], "submissions", { query: { cursor } }),
    deleteSubmission: (game, id) => tell("DELETE", game, "submissions", id),
    held: (game, query) => ask(game, ["held"], "held", { query }),
    release: (game, id) => tell("POST", game, "held", id, "release"),
    reject: (game, id) => tell("POST", game, "held", id, "reject"),
    nextSigningKey: (game) => ask(game, ["signing-key"], "key", { method: "POST" }),
  };
}

/** The service answers as its contract says; its own tests parse every answer, so a client need not. */
async function trusted<T>(answer: Promise<unknown>): Promise<T> {
  return (await answer) as T;
}
