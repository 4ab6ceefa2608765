/** The activity stream as the badge group reads it (PLATFORM 2.5 has the shapes of the replies). */
import { z } from "zod";
import { DependencyError } from "../../domain/errors.ts";
import type { BadgeQueue, QueueEntry } from "../../services/badges/ports.ts";
import type { RedisClient } from "./client.ts";
import { activityKey, BADGE_GROUP } from "./keys.ts";
import { flatReply, replyOf } from "./words.ts";

const START = "0-0";
/** Unread entries that are counted by reading them, where Redis cannot tell how many there are. */
const COUNTED = 1_000;

const entry = z.tuple([z.string(), z.array(z.string()).nullable()]).transform(([id, fields]): QueueEntry => {
  const submission = z.uuid().safeParse(fields?.[0] === "submission" ? fields[1] : undefined);
  return { id, submissionId: submission.success ? submission.data : undefined };
});

const readReply = z.array(z.tuple([z.string(), z.array(entry)])).nullable();
/** `[cursor, entries, deleted ids]`; some servers give deleted entries as null. */
const claimReply = z.tuple([z.string(), z.array(entry.nullable())]).rest(z.unknown());

const number = z.union([z.int(), z.string().regex(/^\d+$/).transform(Number)]);
/** Names and values in turn. */
const fields = z
  .array(z.unknown())
  .transform((flat) =>
    Object.fromEntries(flat.flatMap((name, i) => (i % 2 === 0 ? [[String(name), flat[i + 1]]] : []))),
  );
const groupInfo = fields.pipe(
  z.object({
    name: z.string(),
    consumers: number,
    pending: number,
    "last-delivered-id": z.string(),
    /** Null after entries between read and unread ones were deleted; older servers do not know it. */
    lag: number.nullish(),
  }),
);
const consumerInfo = fields.pipe(z.object({ name: z.string(), pending: number, idle: number }));

const isRefusal = (error: unknown) => error instanceof DependencyError && error.kind === "refused";

export function createBadgeQueue(redis: RedisClient): BadgeQueue {
  /** From the very first entry on: what was handled before is found in Postgres and awards nothing again. */
  async function makeGroup(game: string) {
    const refusal = await redis
      .command(["XGROUP", "CREATE", activityKey(game), BADGE_GROUP, "0"])
      .catch((error: unknown) => {
        if (isRefusal(error)) return error;
        throw error;
      });
    const group = await groupOf(game);
    // Refused because another run has made it; servers say so in words of their own.
    if (!group && refusal instanceof Error) throw refusal;
    return group;
  }

  async function groupOf(game: string) {
    const groups = replyOf(z.array(groupInfo), await redis.command(["XINFO", "GROUPS", activityKey(game)]));
    return groups.find(({ name }) => name === BADGE_GROUP);
  }

  async function countUnread(game: string, lastRead: string): Promise<number> {
    const command = ["XRANGE", activityKey(game), `(${lastRead}`, "+", "COUNT", String(COUNTED)] as const;
    return replyOf(z.array(z.unknown()), await redis.command([...command])).length;
  }

  async function removeConsumer(game: string, consumer: string): Promise<void> {
    await redis.command(["XGROUP", "DELCONSUMER", activityKey(game), BADGE_GROUP, consumer]);
  }

  return {
    async state(game) {
      try {
        const group = (await groupOf(game)) ?? (await makeGroup(game));
        if (!group) return undefined;
        const lastRead = group["last-delivered-id"];
        const { pending, consumers, lag } = group;
        return { pending, unread: lag ?? (await countUnread(game, lastRead)), lastRead, consumers };
      } catch (error) {
        // The stream is missing: Redis does not have the game.
        if (isRefusal(error) && (await redis.command(["EXISTS", activityKey(game)])) === 0) return undefined;
        throw error;
      }
    },

    async claim(game, { consumer, minIdleMs, cursor, n }) {
      const key = activityKey(game);
      const reply = replyOf(
        claimReply,
        await redis.command(["XAUTOCLAIM", key, BADGE_GROUP, consumer, String(minIdleMs), cursor, "COUNT", String(n)]),
      );
      const entries = reply[1].filter((found) => found !== null);
      return { entries, cursor: reply[0] === START ? undefined : reply[0] };
    },

    async readNew(game, consumer, n) {
      const from = ["STREAMS", activityKey(game), ">"] as const;
      const reply = replyOf(
        readReply,
        await redis.command(["XREADGROUP", "GROUP", BADGE_GROUP, consumer, "COUNT", String(n), ...from]),
      );
      return reply?.[0]?.[1] ?? [];
    },

    async acknowledge(game, ids) {
      await redis.command(["XACK", activityKey(game), BADGE_GROUP, ...ids]);
    },

    async trim(game, lastRead, length) {
      const reply = await redis.call("lb_trim_v2", [activityKey(game)], [BADGE_GROUP, lastRead, String(length)]);
      return Number(flatReply(reply)[1]);
    },

    removeConsumer,

    async removeDeadConsumers(game, minIdleMs) {
      const reply = await redis.command(["XINFO", "CONSUMERS", activityKey(game), BADGE_GROUP]);
      const all = replyOf(z.array(consumerInfo), reply);
      for (const { name, pending, idle } of all)
        if (pending === 0 && idle >= minIdleMs) await removeConsumer(game, name);
    },
  };
}
