/** A viewer's socket that remembers everything it was sent. */
import { SocketMessage } from "../../functions/contract/live.ts";
import { until } from "../harness/until.ts";
import type { Rooms } from "./rooms.ts";

export class Socket {
  readonly messages: SocketMessage[] = [];
  closeCode: number | undefined;
  readonly #socket: WebSocket;

  constructor(rooms: Rooms, room: string, query = "") {
    this.#socket = new WebSocket(`${rooms.url.replace("http", "ws")}/parties/main/${room}${query}`);
    this.#socket.addEventListener("message", ({ data }) =>
      this.messages.push(SocketMessage.parse(JSON.parse(String(data)))),
    );
    this.#socket.addEventListener("close", ({ code }) => (this.closeCode = code));
  }

  /** A socket that is open. */
  static async open(rooms: Rooms, room: string, query = ""): Promise<Socket> {
    const socket = new Socket(rooms, room, query);
    await until("the socket opens", () => socket.#socket.readyState === WebSocket.OPEN);
    return socket;
  }

  get versions(): string[] {
    return this.messages.flatMap((message) => (message.type === "top" ? [message.version] : []));
  }

  /** Resolves when the newest board of the socket has this version. */
  async reaches(version: number, deadlineMs?: number): Promise<void> {
    await until(
      `version ${version}, has ${this.versions.join()}`,
      () => this.versions.at(-1) === String(version),
      deadlineMs,
    );
  }

  async hears(type: SocketMessage["type"]): Promise<SocketMessage> {
    return until(`a ${type} message`, () => this.messages.find((message) => message.type === type));
  }

  async isClosed(): Promise<number> {
    return until("the socket is closed", () => this.closeCode);
  }

  send(text: string): void {
    this.#socket.send(text);
  }

  close(): void {
    this.#socket.close();
  }
}
