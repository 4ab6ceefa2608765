import { z } from "zod";
import { createLoopbackServer } from "../http/loopback-server.ts";
import { runUntilSignalled } from "../http/run.ts";
import { neonService } from "./service.ts";

// The process of the Neon-compatible endpoint. Its configuration comes by environment: arguments would show in `ps`.
const { NEON_PORT, UPSTREAM_DATABASE_URL } = z
  .object({ NEON_PORT: z.coerce.number().int(), UPSTREAM_DATABASE_URL: z.url() })
  .parse(process.env);

runUntilSignalled(createLoopbackServer(neonService({ databaseUrl: UPSTREAM_DATABASE_URL })), NEON_PORT);
