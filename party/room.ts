/** The PartyKit room of one game week: glue between the platform and `core.ts`. */
import type * as Party from "partykit/server";
import { isAuthorized } from "./auth.ts";
import { askApi } from "./board-api.ts";
import { step } from "./core.ts";
import { parseEnv } from "./env.ts";
import { answerWithoutPush, problem, readPush } from "./http.ts";
import { Relay } from "./relay.ts";
import { fullness, FULL_CODE, tagsOf } from "./crowd-limits.ts";
import { mayBeLive, parseRoomId, shardRooms } from "./room-id.ts";
import type { RoomId } from "./room-id.ts";
import { closeQuietly, sendAll } from "./sockets.ts";
import { initialState } from "./state.ts";
import type { Answer, Effect, RoomEvent, RoomState, Stored } from "./state.ts";
import { keepAlarm, load, store } from "./storage.ts";
import { judge } from "./viewer.ts";
import type { Window } from "./viewer.ts";

type Viewer = Party.Connection<Window>;

/** Only rooms that can be live are made: others would leave objects behind. */
function isRoom(id: string): boolean {
  const room = parseRoomId(id);
  return room !== undefined && mayBeLive(room, Date.now());
}

export default class EdgeboardRoom implements Party.Server {
  readonly options = { hibernate: true };
  readonly #party: Party.Room;
  #state: RoomState | undefined;
  readonly #relay: Relay;
  /** The alarm that ends the room is set. */
  #remembered = false;
  #wakeAtMs = Infinity;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(party: Party.Room) {
    this.#party = party;
    this.#relay = new Relay(party);
  }

  /** Runs at the edge: only pushes with a secret reach a room, and only rooms that can exist are made. */
  static async onBeforeRequest(request: Party.Request, lobby: Party.Lobby): Promise<Party.Request | Response> {
    if (!isRoom(lobby.id)) return problem("not-found", "There is no such room.");
    const answer = answerWithoutPush(request.method);
    if (answer) return answer;
    const env = parseEnv(lobby.env);
    if (!env) return problem("unavailable", "The room is not set up.");
    if (await isAuthorized(request.headers.get("authorization"), env.pushSecrets)) return request;
    return problem("unauthorized", "A push needs the push secret.", { "www-authenticate": "Bearer" });
  }

  /** Viewing is public. */
  static onBeforeConnect(request: Party.Request, lobby: Party.Lobby): Party.Request | Response {
    return isRoom(lobby.id) ? request : problem("not-found", "There is no such room.");
  }

  /** PartyKit lets requests in while onStart runs, hence the block. */
  async onStart(): Promise<void> {
    await this.#party.blockConcurrencyWhile(async () => {
      const stored = await load(this.#party.storage);
      const room = stored.room ?? parseRoomId(this.#party.id);
      if (!room) throw new Error("a room without a valid id");
      this.#state = initialState(room, stored.board, this.#audience());
    });
  }

  async onRequest(request: Party.Request): Promise<Response> {
    const push = await readPush(request, this.#room());
    if (push instanceof Response) return push;
    await this.#handle({ type: "pushed", push });
    return Response.json({ version: this.#state?.top?.version ?? null });
  }

  /** Connections of one address are found by its tag. */
  getConnectionTags(_: Viewer, { request }: Party.ConnectionContext): string[] {
    return tagsOf(request.headers.get("cf-connecting-ip"));
  }

  async onConnect(viewer: Viewer, { request }: Party.ConnectionContext): Promise<void> {
    const [tag] = tagsOf(request.headers.get("cf-connecting-ip"));
    const crowd = tag === undefined ? 0 : [...this.#party.getConnections(tag)].length;
    const full = fullness(this.#state?.audience ?? 0, () => this.#audience(), crowd);
    if (full !== undefined) return viewer.close(FULL_CODE, full);
    await this.#handle({ type: "connected" }, viewer);
  }

  async onMessage(message: string | ArrayBuffer | ArrayBufferView, viewer: Viewer): Promise<void> {
    const verdict = judge(viewer.state ?? undefined, message, Date.now());
    if (verdict.type === "close") return viewer.close(verdict.code, verdict.reason);
    viewer.setState(verdict.window);
    if (verdict.type === "sync") await this.#handle({ type: "synced" }, viewer);
  }

  async onClose(viewer: Viewer): Promise<void> {
    closeQuietly(viewer, 1000, "");
    await this.#handle({ type: "left" });
  }

  async onError(): Promise<void> {
    await this.#handle({ type: "left" });
  }

  async onAlarm(): Promise<void> {
    const room = this.#room();
    const nowMs = Date.now();
    if (nowMs >= room.expiresAtMs) return this.#party.storage.deleteAll();
    await keepAlarm(this.#party.storage, room, nowMs);
    if (nowMs >= room.endsAtMs) await this.#handle({ type: "ended" });
  }

  #audience(): number {
    return [...this.#party.getConnections()].length;
  }

  #room(): RoomId {
    if (!this.#state) throw new Error("the room has not started");
    return this.#state.room;
  }

  /**
   * Takes the event and carries its effects out in one go, so that no other event comes between them; resolves when
   * what had to be stored is stored. Nothing sent here overtakes the write: see `store`.
   */
  async #handle(event: RoomEvent, viewer?: Viewer): Promise<void> {
    if (!this.#state) throw new Error("the room has not started");
    const next = step(this.#state, event, Date.now());
    this.#state = next.state;
    await Promise.all(next.effects.map((effect) => this.#perform(effect, viewer)));
  }

  #perform(effect: Effect, viewer: Viewer | undefined): Promise<void> | void {
    switch (effect.type) {
      case "store":
        return this.#store(effect.stored);
      case "reply":
        return viewer && sendAll([viewer], effect.messages);
      case "broadcast":
        return sendAll(this.#party.getConnections(), effect.messages);
      case "relay":
        return void this.#relay.send(effect.push, shardRooms(this.#room(), effect.shards));
      case "wake":
        return this.#wake(effect.atMs);
      case "ask":
        return void this.#ask();
    }
  }

  /** Before it has a board a room keeps nothing: it may be of a game that does not exist. */
  async #store(stored: Stored): Promise<void> {
    const storing = store(this.#party.storage, stored);
    if (!this.#remembered) await keepAlarm(this.#party.storage, this.#room(), Date.now());
    this.#remembered = true;
    await storing;
  }

  #wake(atMs: number): void {
    if (atMs === this.#wakeAtMs) return;
    clearTimeout(this.#timer);
    this.#wakeAtMs = atMs;
    this.#timer = setTimeout(
      () => {
        this.#wakeAtMs = Infinity;
        void this.#handle({ type: "ticked", audience: this.#audience() });
      },
      Math.max(0, atMs - Date.now()),
    );
  }

  async #ask(): Promise<void> {
    const env = parseEnv(this.#party.env);
    const answer: Answer = env ? await askApi(env, this.#room()) : { type: "unavailable" };
    await this.#handle({ type: "answered", answer });
  }
}

EdgeboardRoom satisfies Party.Worker;
