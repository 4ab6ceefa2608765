/** Sending to many sockets: one that fails does not keep the others waiting (PartyKit's broadcast stops there). */
import type { SocketMessage } from "../functions/contract/live.ts";

type Socket = { send(data: string): void; close(code: number, reason: string): void };

/** Sends the messages in order to every socket. */
export function sendAll(sockets: Iterable<Socket>, messages: readonly SocketMessage[]): void {
  const texts = messages.map((message) => JSON.stringify(message));
  for (const socket of sockets) {
    try {
      for (const text of texts) socket.send(text);
    } catch {
      // It is gone; its close event follows, and its reconnect begins with a snapshot.
    }
  }
}

/** Closes a socket that may be closed already. */
export function closeQuietly(socket: Socket, code: number, reason: string): void {
  try {
    socket.close(code, reason);
  } catch {
    // Closed already.
  }
}
