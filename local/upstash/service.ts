import { timingSafeEqual } from "node:crypto";
import type { LoopbackRequest, LoopbackService, StreamReply } from "../http/loopback-server.ts";
import type { Reply } from "../http/reply.ts";
import { countOperation, type Stats } from "../http/stats.ts";
import { BadCommand, parseCommand, parseCommands, type RedisCommand } from "./commands.ts";
import { encodeReply, type JsonReply } from "./encoding.ts";
import { type Admitted, DEFAULT_LIMITS, Gate, type Limits } from "./limits.ts";
import { streamMessages } from "./subscribe.ts";
import { connect, firstAttempt, type Outcome, send, sendTransaction, UpstreamDown } from "./upstream.ts";

type Slot = { result: JsonReply } | { error: string };

/** The REST protocol of Upstash Redis in front of a redis-server; resolves when it has a connection, if one can be had. */
export async function upstashService({
  redisUrl,
  token,
  limits = {},
}: {
  redisUrl: string;
  token: string;
  limits?: Partial<Limits>;
}): Promise<LoopbackService> {
  const redis = connect(redisUrl);
  await firstAttempt(redis);
  const expected = Buffer.from(`Bearer ${token}`);
  const effective = { ...DEFAULT_LIMITS, ...limits };
  const gate = new Gate(redis, effective);
  let writes = 0;

  async function handle(request: LoopbackRequest, stats: Stats): Promise<Reply | StreamReply> {
    if (!isAuthorized(request.headers.authorization, expected))
      return failure(401, "WRONGPASS invalid or missing auth token");
    const channel = /^\/(subscribe|psubscribe)\/([^/?]+)/.exec(request.path);
    const kind = channel?.[1] === "psubscribe" ? "psubscribe" : "subscribe";
    const name = channel?.[2];
    if (name !== undefined)
      return { stream: (response) => streamMessages({ redisUrl, kind, name: decodeURIComponent(name), response }) };
    if (request.method !== "POST") return failure(405, "ERR only POST is served here");
    try {
      return await execute(request, stats);
    } catch (error) {
      if (error instanceof BadCommand) return failure(400, error.message);
      if (error instanceof UpstreamDown) return failure(500, "the database is not reachable");
      throw error;
    }
  }

  async function execute({ path, body, headers }: LoopbackRequest, stats: Stats): Promise<Reply> {
    const base64 = headers["upstash-encoding"] === "base64";
    switch (path) {
      case "/": {
        const command = parseCommand(body);
        count(stats, [command]);
        const outcome = gate.isPlain(command) ? await send(redis, command) : await admitted(command);
        const slot = toSlot(outcome, base64);
        return ok(slot, "error" in slot ? 400 : 200);
      }
      case "/pipeline": {
        const commands = parseCommands(body);
        count(stats, commands);
        const outcomes = await run(await gate.admit(commands));
        return ok(outcomes.map((outcome) => toSlot(outcome, base64)));
      }
      case "/multi-exec": {
        const commands = parseCommands(body);
        count(stats, commands);
        const admitted = await gate.admit(commands);
        const refused = admitted.find((one) => "error" in one);
        if (refused) return failure(400, `EXECABORT Transaction discarded because of: ${refused.error}`);
        const transaction = admitted.flatMap((one) => ("command" in one ? [one.command] : []));
        return transactionReply(await sendTransaction(redis, transaction), base64);
      }
      default:
        return failure(400, `ERR no such path: ${path}`);
    }
  }

  async function admitted(command: RedisCommand): Promise<Outcome> {
    const [one = { error: "ERR" }] = await gate.admit([command]);
    return "error" in one ? one : send(redis, one.command);
  }

  /** All of them in one go, so that they reach Redis together and in their order. */
  const run = (admitted: readonly Admitted[]): Promise<Outcome[]> =>
    Promise.all(admitted.map((one) => ("error" in one ? one : send(redis, one.command))));

  function transactionReply(outcome: Outcome, base64: boolean): Reply {
    if ("error" in outcome) return failure(400, outcome.error);
    if (!Array.isArray(outcome.reply)) return failure(400, "EXECABORT Transaction discarded");
    return ok(
      outcome.reply.map((item) => toSlot(item instanceof Error ? { error: item.message } : { reply: item }, base64)),
    );
  }

  function ok(value: unknown, status = 200): Reply {
    writes += 1;
    // Only its presence matters: a client sends it back with its next request.
    return { status, body: JSON.stringify(value), headers: { "upstash-sync-token": `local:${writes}` } };
  }

  return {
    maxBodyBytes: effective.requestBytes,
    bodyTooLarge: () => failure(413, `ERR max request size exceeded. Limit: ${effective.requestBytes} bytes`),
    failure: (status) => failure(status, status === 429 ? "ERR max requests limit exceeded" : "injected failure"),
    handle,
  };
}

function toSlot(outcome: Outcome, base64: boolean): Slot {
  return "error" in outcome ? { error: outcome.error } : { result: encodeReply(outcome.reply, base64) };
}

function count(stats: Stats, commands: readonly RedisCommand[]): void {
  for (const [name] of commands) countOperation(stats, name.toUpperCase());
}

function failure(status: number, error: string): Reply {
  return { status, body: JSON.stringify({ error }) };
}

function isAuthorized(header: string | undefined, expected: Buffer): boolean {
  const given = Buffer.from(header ?? "");
  return given.length === expected.length && timingSafeEqual(given, expected);
}
