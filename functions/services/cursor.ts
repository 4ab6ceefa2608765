/** Cursors of board pages: the last entry's place in the order, so that pages hold still while the board moves. */
import { z } from "zod";
import { Player, Points } from "../contract/primitives.ts";
import { DomainError } from "../domain/errors.ts";
import type { Cursor } from "./ports.ts";

const Parts = z.tuple([Points, z.int().min(0).multipleOf(1000), Player]);

function toBase64Url(text: string): string {
  const bytes = new TextEncoder().encode(text);
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}

function fromBase64Url(text: string): string {
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return new TextDecoder("utf-8", { fatal: true }).decode(Uint8Array.from(binary, (c) => c.charCodeAt(0)));
}

export function encodeCursor(entry: Cursor): string {
  return toBase64Url(JSON.stringify([entry.points, entry.achievedAtMs, entry.player]));
}

/** Throws DomainError `invalid` for anything that encodeCursor did not make. */
export function decodeCursor(text: string): Cursor {
  try {
    const [points, achievedAtMs, player] = Parts.parse(JSON.parse(fromBase64Url(text)));
    return { points, achievedAtMs, player };
  } catch {
    throw new DomainError("invalid", "The cursor is not one that this API gave out.", {
      errors: [{ pointer: "cursor", detail: "must be the `next` of an earlier page" }],
    });
  }
}
