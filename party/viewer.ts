/** What a viewer may send: an occasional `sync`, small. Everything else is ignored, a flood ends the connection. */
import { ViewerMessage } from "../functions/contract/live.ts";

const WINDOW_MS = 10_000;
const MAX_MESSAGES = 20;
const MAX_BYTES = 1_024;

/** Clients do not come back by themselves after a 4xxx code. */
const CLOSE = {
  flood: { code: 4008, reason: "too many messages" },
  tooLarge: { code: 4009, reason: "message too large" },
} as const;

/** Messages of one viewer in the running window; kept in the connection, so that it survives hibernation. */
export type Window = { readonly startedAtMs: number; readonly messages: number };

export type Verdict =
  | { readonly type: "close"; readonly code: number; readonly reason: string }
  | { readonly type: "sync" | "ignore"; readonly window: Window };

/** Judges one message of a viewer whose window so far is `window`. */
export function judge(
  window: Window | undefined,
  message: string | ArrayBuffer | ArrayBufferView,
  nowMs: number,
): Verdict {
  const size = typeof message === "string" ? message.length : message.byteLength;
  if (size > MAX_BYTES) return { type: "close", ...CLOSE.tooLarge };
  const running = window && nowMs - window.startedAtMs < WINDOW_MS ? window : { startedAtMs: nowMs, messages: 0 };
  const counted = { ...running, messages: running.messages + 1 };
  if (counted.messages > MAX_MESSAGES) return { type: "close", ...CLOSE.flood };
  return { type: isSync(message) ? "sync" : "ignore", window: counted };
}

function isSync(message: string | ArrayBuffer | ArrayBufferView): boolean {
  if (typeof message !== "string") return false;
  try {
    return ViewerMessage.safeParse(JSON.parse(message)).success;
  } catch {
    return false;
  }
}
