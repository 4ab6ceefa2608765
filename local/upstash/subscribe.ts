import type { ServerResponse } from "node:http";
import { connect } from "./upstream.ts";

interface Subscription {
  readonly redisUrl: string;
  readonly kind: "subscribe" | "psubscribe";
  readonly name: string;
  readonly response: ServerResponse;
}

/** Serves one channel or pattern as server-sent events until the client goes away. */
export function streamMessages({ redisUrl, kind, name, response }: Subscription): void {
  const redis = connect(redisUrl);
  const write = (...parts: readonly (string | number)[]): void => void response.write(`data: ${parts.join(",")}\n\n`);
  response.once("close", () => redis.disconnect());
  redis.on("message", (channel, message) => write("message", channel, message));
  redis.on("pmessage", (pattern, channel, message) => write("pmessage", pattern, channel, message));
  redis.once("close", () => response.end());
  redis.once("ready", () => {
    redis[kind](name).then(
      () => {
        response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
        write(kind, name, 1);
      },
      () => response.destroy(),
    );
  });
}
