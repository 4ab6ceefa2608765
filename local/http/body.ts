import type { IncomingMessage } from "node:http";

/** Nearly every body comes in one piece. */
const joined = ([first, ...others]: readonly Buffer[]): Buffer =>
  first !== undefined && others.length === 0 ? first : Buffer.concat(first === undefined ? [] : [first, ...others]);

/** Reads a request body; undefined when it is longer than `maxBytes` (the rest is thrown away). */
export function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    request.on("data", (chunk: Buffer) => {
      length += chunk.length;
      if (length <= maxBytes) chunks.push(chunk);
    });
    request.once("end", () => resolve(length > maxBytes ? undefined : joined(chunks)));
    request.once("error", reject);
    request.once("close", () => {
      if (!request.complete) reject(new Error("the client went away"));
    });
  });
}
