import { z } from "zod";
import { createLoopbackServer } from "../http/loopback-server.ts";
import { runUntilSignalled } from "../http/run.ts";
import { upstashService } from "./service.ts";

// The process of the Upstash-compatible endpoint. Its configuration comes by environment: arguments would show in `ps`.
const { UPSTASH_PORT, UPSTASH_TOKEN, UPSTREAM_REDIS_URL, UPSTASH_COMMANDS_PER_SECOND } = z
  .object({
    UPSTASH_PORT: z.coerce.number().int(),
    UPSTASH_TOKEN: z.string().min(1),
    UPSTREAM_REDIS_URL: z.url(),
    UPSTASH_COMMANDS_PER_SECOND: z.coerce.number().int().positive().optional(),
  })
  .parse(process.env);
const limits = UPSTASH_COMMANDS_PER_SECOND === undefined ? {} : { commandsPerSecond: UPSTASH_COMMANDS_PER_SECOND };

runUntilSignalled(
  createLoopbackServer(await upstashService({ redisUrl: UPSTREAM_REDIS_URL, token: UPSTASH_TOKEN, limits })),
  UPSTASH_PORT,
);
