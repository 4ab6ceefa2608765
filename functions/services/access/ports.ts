/** Shields at the edge, per location; true = within the limit. */
import type { Authenticated, Caller } from "./callers.ts";
export type EdgeLimits = {
  player(game: string, player: string): Promise<boolean>;
  address(address: string): Promise<boolean>;
};

export type SignedRequest = {
  readonly game: string;
  /** Number of the game's secret that it says it was signed with. */
  readonly key: number;
  readonly method: string;
  readonly path: string;
  /** Unix milliseconds, as sent. */
  readonly timestamp: string;
  readonly nonce: string;
  readonly player: string;
  readonly body: Uint8Array<ArrayBuffer>;
  /** HMAC-SHA-256, lower-case hex. */
  readonly signature: string;
};

export type Signatures = {
  /** The secret of a game with this number. */
  secret(game: string, key: number): Promise<string>;
  verify(request: SignedRequest): Promise<boolean>;
};

/** The ports of this wing by the names under which they are handed on. */
export type AccessPorts = {
  /** The caller behind a bearer token, or what is wrong with it. */
  readonly authenticate: (token: string) => Promise<Authenticated>;
  /** Whose bearer token it is, as far as this isolate can tell without asking a store. */
  readonly recognise: (token: string) => Promise<Caller["kind"] | undefined>;
  /** Whether a bearer token is the secret that Worker and rooms share. It opens nothing; the limit by address does not count it. */
  readonly isRoom: (token: string) => Promise<boolean>;
  readonly edgeLimits: EdgeLimits;
  /** Undefined when the environment has no secret for it. */
  readonly signatures: Signatures | undefined;
};
