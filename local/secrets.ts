import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";

const secrets = z.object({
  upstashToken: z.string().min(32),
  partyPushSecret: z.string().min(32),
  playerTokenSecret: z.string().min(32),
  /** Names the database cluster of this DATA_DIR when it has to live elsewhere. */
  clusterId: z.string().min(8),
});

/** What a stack makes up once and keeps in `DATA_DIR/secrets.json` (mode 600). */
export type Secrets = z.infer<typeof secrets>;

/** Reads the secrets of a DATA_DIR; makes them on the first start. */
export function loadSecrets(dataDir: string): Secrets {
  const file = path.join(dataDir, "secrets.json");
  if (existsSync(file)) return secrets.parse(JSON.parse(readFileSync(file, "utf8")));
  const made: Secrets = {
    upstashToken: randomBytes(24).toString("hex"),
    partyPushSecret: randomBytes(24).toString("hex"),
    playerTokenSecret: randomBytes(32).toString("hex"),
    clusterId: randomBytes(6).toString("hex"),
  };
  writeFileSync(file, `${JSON.stringify(made, null, 2)}\n`, { mode: 0o600 });
  return made;
}
